import AsyncRuntime
import Synchronization

/// The path of a failure is stored in the word that held the node's source, because a failed node
/// waits for nothing. While a handler with a failure runs, and until the node is settled, the word
/// holds the path of that failure.
extension PromiseNode {
  /// Marks a path that ends in this node: the handler replaces the failure by another one.
  private static let replaced: UInt = 8
  /// Marks a failure that the node handled, and with which it fails again.
  private static let renewed: UInt = 2
  /// The word stores the node's index in the path from this bit on.
  private static let shift: UInt = 56

  /// The node's place in the path of its failure; nil if there is none.
  final var failurePlace: FailurePlace? {
    let bits = source.load(ordering: .acquiring)
    guard bits & Self.failure != 0, let pointer = UnsafeRawPointer(bitPattern: bits & Flag.list)
    else { return nil }
    return FailurePlace(
      path: Unmanaged.fromOpaque(pointer).takeUnretainedValue(), index: Int(bits >> Self.shift))
  }

  private final func setPlace(_ place: FailurePlace) {
    releasePlace()
    let bits = UInt(bitPattern: Unmanaged.passRetained(place.path).toOpaque())
    source.store(
      bits | Self.failure | UInt(place.index) << Self.shift, ordering: .releasing)
  }

  private final func releasePlace() {
    guard let place = failurePlace else { return }
    source.store(0, ordering: .releasing)
    Unmanaged.passUnretained(place.path).release()
  }

  /// Takes over the failure of `source`, which is about to settle the node. Only for the code that
  /// has claimed the node.
  @usableFromInline
  final func inheritFailure(from source: PromiseNode) {
    // A source that was cancelled while its handler ran may still have the path of the handler's input.
    if !source.isCancelled { inherit(source.failurePlace) }
  }

  final func inherit(_ place: FailurePlace?) {
    if let place { setPlace(place) }
  }

  /// Marks the failure that the handler gets as handled.
  @usableFromInline
  final func takeFailure() { failurePlace?.failure.markHandled() }

  /// Marks the failure that the handler gets as handled and replaced: the handler produces another result.
  final func replaceFailure() {
    takeFailure()
    mark(Self.replaced)
  }

  private final func mark(_ flag: UInt) {
    if failurePlace != nil { source.bitwiseOr(flag, ordering: .releasing) }
  }

  /// Records that the node fails with `error`, because of its source or on its own. Only for the code that has sealed
  /// the node.
  @usableFromInline
  final func noteFailure(_ error: some Error) {
    if error is CancellationError {
      // A cancellation is intended, so it has no path. But a cancelled node keeps its path, since
      // its handler may still be reading it.
      if !isCancelled { releasePlace() }
      return
    }
    guard let place = failurePlace else {
      // If the word is not empty, the node still has its source, and there is no room for a path.
      guard source.load(ordering: .relaxed) == 0 else { return }
      let failure = UnhandledFailure(error, in: context)
      return setPlace(FailurePlace(path: FailurePath(of: failure, from: site), index: 0))
    }
    let bits = source.load(ordering: .relaxed)
    guard bits & (Self.replaced | Self.renewed) != 0 else {
      return setPlace(place.continued(to: site))
    }
    let role: FailureTrail.Role = bits & Self.replaced != 0 ? .replaced : .passedOn
    setPlace(place.branch(to: site, role, with: UnhandledFailure(error, in: context)))
  }

  /// Releases the path of the failure. Called when the node is released, or waits for another promise after all.
  final func releaseFailure() {
    guard let place = failurePlace else { return }
    let word = state.load(ordering: .acquiring)
    if word & Flag.cancelled == 0 {
      if word & Flag.handled != 0 { place.failure.markHandled() }
      if word & Flag.failed != 0, !place.isContinued { place.failure.dropped(at: place) }
    }
    releasePlace()
  }

  /// Marks the node's failure as handled, now or when it fails.
  final func handleFailure() {
    let node = root()
    let word = node.state.bitwiseOr(Flag.handled, ordering: .acquiringAndReleasing).oldValue
    // If the node is forwarded at the same time, the forwarding code may not have seen the flag.
    if word & (Flag.forwarded | Flag.sealed) == Flag.forwarded {
      node.currentSource()?.handleFailure()
    }
  }

  final var failureTrail: FailureTrail? {
    guard isSettled, hasFailed, !isCancelled, let failurePlace else { return nil }
    return FailureTrail(failurePlace)
  }
}

extension PromiseNode {
  /// Takes over the failure of `source`, which has been handled. The node is about to be settled
  /// with a failure of its own, which must be handled separately.
  ///
  /// - Parameter isReplaced: whether the node has another error.
  final func answer(for source: PromiseNode, replacing isReplaced: Bool = false) {
    inheritFailure(from: source)
    mark(isReplaced ? Self.replaced : Self.renewed)
  }
}
