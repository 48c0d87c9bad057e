import AsyncRuntime
import Synchronization

/// The way of its failure lies where a node had its source: it waits for nothing any more then. From
/// when its handler is run with a failure until it is settled, that is the way of what it was told.
extension PromiseNode {
  /// Marks a way that ended here: what comes of the handler is another failure.
  private static let replaced: UInt = 8
  /// Marks one whose failure has been taken by who fails with it.
  private static let renewed: UInt = 2
  /// Where the place in the way is.
  private static let shift: UInt = 56

  /// The way in its word, and the place in it.
  final var way: FailurePlace? {
    let bits = source.load(ordering: .acquiring)
    guard bits & Self.failure != 0, let pointer = UnsafeRawPointer(bitPattern: bits & Flag.list)
    else { return nil }
    return FailurePlace(
      way: Unmanaged.fromOpaque(pointer).takeUnretainedValue(), index: Int(bits >> Self.shift))
  }

  private final func setWay(_ place: FailurePlace) {
    releaseWay()
    let bits = UInt(bitPattern: Unmanaged.passRetained(place.way).toOpaque())
    source.store(
      bits | Self.failure | UInt(place.index) << Self.shift, ordering: .releasing)
  }

  private final func releaseWay() {
    guard let place = way else { return }
    source.store(0, ordering: .releasing)
    Unmanaged.passUnretained(place.way).release()
  }

  /// Takes over the failure of `source`, because of which it is about to be settled. Only for who has
  /// claimed it.
  @usableFromInline
  final func inheritFailure(from source: PromiseNode) {
    // What was cancelled while its handler ran may have the way of what that was told.
    if !source.isCancelled { inherit(source.way) }
  }

  final func inherit(_ place: FailurePlace?) {
    if let place { setWay(place) }
  }

  /// What it was told is a failure, and its handler can do something about it.
  @usableFromInline
  final func takeFailure() { way?.failure.take() }

  /// Its handler was told a failure, and comes to something else.
  final func replaceFailure() {
    takeFailure()
    mark(Self.replaced)
  }

  private final func mark(_ flag: UInt) {
    if way != nil { source.bitwiseOr(flag, ordering: .releasing) }
  }

  /// It fails with `error`: because of what it was told, or of itself. Only for who has sealed it.
  @usableFromInline
  final func noteFailure(_ error: some Error) {
    if error is CancellationError {
      // Somebody wanted that. Who cancels leaves alone what a handler may be looking at.
      if !isCancelled { releaseWay() }
      return
    }
    guard let place = way else {
      // What it waits for it would still have.
      guard source.load(ordering: .relaxed) == 0 else { return }
      let failure = UntakenFailure(error, in: context)
      return setWay(FailurePlace(way: FailureWay(of: failure, from: site), index: 0))
    }
    let bits = source.load(ordering: .relaxed)
    guard bits & (Self.replaced | Self.renewed) != 0 else {
      return setWay(place.goOn(to: site))
    }
    let role: FailureTrail.Role = bits & Self.replaced != 0 ? .replaced : .passedOn
    setWay(place.branch(to: site, role, with: UntakenFailure(error, in: context)))
  }

  /// It goes, or waits for something after all.
  final func releaseFailure() {
    guard let place = way else { return }
    let word = state.load(ordering: .acquiring)
    if word & Flag.cancelled == 0 {
      if word & Flag.answered != 0 { place.failure.take() }
      if word & Flag.failed != 0, !place.goesOn { place.failure.dropped(at: place) }
    }
    releaseWay()
  }

  /// Somebody sees to its failure, now or when there is one.
  final func answerFailure() {
    let node = root()
    let word = node.state.bitwiseOr(Flag.answered, ordering: .acquiringAndReleasing).oldValue
    // Who has handed everything on meanwhile may not have seen it.
    if word & (Flag.forwarded | Flag.sealed) == Flag.forwarded {
      node.currentSource()?.answerFailure()
    }
  }

  final var failureTrail: FailureTrail? {
    guard isSettled, hasFailed, !isCancelled, let way else { return nil }
    return FailureTrail(way)
  }
}

extension PromiseStorage {
  /// Settles it as `source` was, unless it is settled.
  final func settle(_ result: Result<Success, Failure>, after source: PromiseNode) {
    guard seal() else { return }
    inheritFailure(from: source)
    publish(failed: write(result))
  }
}

extension PromiseNode {
  /// Takes over the failure of `source`, which has been taken; that of the one that is about to be settled is
  /// another, if only by who is to take it.
  ///
  /// - Parameter isReplaced: whether it has another error.
  final func answer(for source: PromiseNode, replacing isReplaced: Bool = false) {
    inheritFailure(from: source)
    mark(isReplaced ? Self.replaced : Self.renewed)
  }
}
