import AsyncRuntime
import Synchronization

/// What a promise is apart from its types: whether it is settled, and who listens. It is a listener
/// itself, of the promise that it was made from: one object a link.
///
/// All that several threads may touch at once lies in one word: flags, and the list of listeners, the
/// latest first. Nobody waits for anybody:
///
/// - Who *seals* the word is the one who settles the promise. It writes the result, then publishes it with
///   the flag `settled`.
/// - Who finds listeners then makes the word `busy` and tells them, from the loop of the lane, until
///   there are none left. What is added meanwhile goes to the same list, so that listeners are told in the
///   order in which they came, always.
/// - A listener that has been sealed meanwhile (it was cancelled) is passed over.
@usableFromInline
class PromiseNode: LaneWork, @unchecked Sendable {
  // Safe to share: what is no constant is atomic, or belongs to who has sealed the word (the result), or
  // made it busy (`next` of those in the list).
  let state: Atomic<UInt>
  /// What it waits for: a reference that whoever takes it out owns. Once it has failed, the way that its
  /// failure has taken.
  let source: Atomic<UInt>
  /// The one that was added before it to the list that it is in; what has been moved away, if it is
  /// forwarded.
  @exclusivity(unchecked) final var next: Unmanaged<PromiseNode>?
  /// What is to be run, which belongs to who claims the node; afterwards where those were made that have handed
  /// it on, which belongs to who looks at the source.
  @exclusivity(unchecked) @usableFromInline final var step = Payload()
  /// What came of it. It belongs to who seals the node, and once it is settled to all who read.
  @exclusivity(unchecked) @usableFromInline final var outcome = Payload()
  /// That of its chain.
  @usableFromInline let contextReference: ContextReference
  /// Where its own handler runs, if that is another place than the chain's.
  private let ownTarget: ContextReference?
  /// Runs the step with what came of its source: gets that and itself.
  private let runStep: (@Sendable (PromiseNode, PromiseNode) -> Void)?
  /// When its handler is wanted; otherwise `step` only passes on what there is, and needs no hop.
  @usableFromInline let site: Site
  let wants: Wants
  @exclusivity(unchecked) @usableFromInline final var holdsStep = false
  @exclusivity(unchecked) @usableFromInline final var holdsOutcome = false
  @exclusivity(unchecked) private final var holdsTrail = false
  /// How many jobs have been scheduled to tell listeners and have not told them all.
  let hops = Atomic<UInt32>(0)
  /// How many listeners there are; of interest to who is cancelled if there are none any more.
  let live = Atomic<UInt32>(0)
  /// How many listeners have been cancelled since they were last cleared away, and how many it takes.
  let lost = Atomic<UInt32>(0)
  let lostLimit = Atomic<UInt32>(1)

  /// Which outcomes of its source a handler is there for.
  @usableFromInline
  struct Wants: OptionSet {
    @usableFromInline let rawValue: UInt8
    @usableFromInline init(rawValue: UInt8) { self.rawValue = rawValue }
    @usableFromInline static var success: Wants { Wants(rawValue: 1) }
    @usableFromInline static var failure: Wants { Wants(rawValue: 2) }
    @usableFromInline static var any: Wants { [.success, .failure] }
    /// What it does is nobody's who could want to cancel it meanwhile: so who runs that is the one who settles it.
    @usableFromInline static var atOnce: Wants { Wants(rawValue: 4) }
    /// On the lane of whoever settles its source.
    @usableFromInline static var inline: Wants { Wants(rawValue: 8) }
    /// It is no link of a chain, but listens for another promise.
    @usableFromInline static var quiet: Wants { Wants(rawValue: 16) }
    /// It only looks on: its chain does not end as it does.
    @usableFromInline static var observer: Wants { Wants(rawValue: 32) }
    /// Its chain is recorded, and has not ended before it is settled.
    @usableFromInline static var recorded: Wants { Wants(rawValue: 64) }

    /// Whether one that is added to a source with those flags runs there and then: either its handler runs inline,
    /// for the code that adds it, or none runs.
    func isTold(by source: UInt) -> Bool {
      guard source & Flag.settled != 0 else { return false }
      return contains(.inline) || !contains(source & Flag.failed != 0 ? .failure : .success)
    }
  }

  /// One that waits for nothing that is a promise.
  ///
  /// - Parameter context: belongs to it from now on.
  @usableFromInline
  init(_ context: ContextReference, _ site: Site, flags: UInt = 0) {
    state = Atomic(flags)
    source = Atomic(0)
    if context.recordsChains, flags & (Flag.settled | Flag.gone | Flag.adopter) == 0 {
      contextReference = context.beginningChain(at: site)
      wants = .recorded
    } else {
      contextReference = context
      wants = []
    }
    ownTarget = nil
    runStep = nil
    self.site = site
  }

  /// One that comes of `source`, to which it has yet to be added.
  ///
  /// - Parameters:
  ///   - context: belongs to it from now on.
  ///   - target: likewise.
  @usableFromInline
  init(
    of source: PromiseNode, _ context: ContextReference, at target: ContextReference?,
    _ wants: Wants,
    _ site: Site, _ runStep: @escaping @Sendable (PromiseNode, PromiseNode) -> Void
  ) {
    let flags = source.state.load(ordering: .relaxed)
    // Where nothing is to be waited for, nothing need be held for the sake of who cancels.
    state = Atomic(flags & Flag.cancelsUnused)
    self.source = Atomic(flags & Flag.settled == 0 ? source.bits(retaining: true) : 0)
    ownTarget = target
    self.runStep = runStep
    let wants = (target ?? context).isInline ? wants.union(.inline) : wants
    if context.recordsChains, !wants.contains(.quiet), !wants.isTold(by: flags) {
      contextReference = context.joiningChain(at: site)
      self.wants = wants.union(.recorded)
    } else {
      contextReference = context
      self.wants = wants
    }
    self.site = site
  }

  deinit {
    if isRecorded { recordLoss() }
    if holdsStep { destroyStep() }
    if holdsOutcome { destroyResult() }
    if holdsTrail { step.destroy([Site].self) }
    if source.load(ordering: .acquiring) != 0 {
      releaseSource()
      if source.load(ordering: .relaxed) != 0 { releaseFailure() }
    }
    releaseOthers()
    ownTarget?.release()
    contextReference.release()
  }

  /// Where those were made that have handed it on, so that a cycle can name them: the first of them.
  final var trail: [Site] { holdsTrail ? step.load([Site].self) : [] }

  final func addToTrail(_ site: Site) {
    // There is no room while a step is to be run, but then it has adopted nothing yet either.
    guard !holdsStep, trail.count < PromiseCycle.limit else { return }
    let longer = trail + [site]
    if holdsTrail { step.destroy([Site].self) }
    step.store(longer)
    holdsTrail = true
  }

  final var context: PromiseContext { contextReference.context }

  /// Where a handler of the chain runs that is to run at `placement`.
  @usableFromInline
  final func target(at placement: Placement) -> ContextReference {
    ContextReference(context.at(placement))
  }

  // MARK: What its types decide

  /// Settles it as `source`, which has its type, has been.
  func take(from source: PromiseNode) { fatalError("a node without a type takes nothing") }

  /// What it waits for will not come.
  ///
  /// - Parameter isCancelled: whether that was cancelled.
  func loseSource(isCancelled: Bool) { goWithoutSource(isCancelled: isCancelled) }

  /// Settles it, which has been sealed, as cancelled; lets it go if its type cannot tell that.
  func finishAsCancelled() { letGo() }

  /// Settles it, which has been sealed, with the cycle that it is part of.
  ///
  /// - Returns: whether its type can tell that.
  func finish(with cycle: PromiseCycle) -> Bool { false }

  @usableFromInline func destroyStep() {}
  @usableFromInline func destroyResult() {}

  /// Settles it, which has been sealed, with the error that its resolver is gone.
  ///
  /// - Returns: whether its type can tell that.
  func finish(with dropped: ResolverDropped) -> Bool { false }

  /// It has been cancelled: tells who works for it.
  func wasCancelled() {}

  /// The error that it has failed with.
  var anyError: (any Error)? { nil }

  /// Somebody listens for the first time, and it was to wait for that.
  func begin() {}

  /// Whether it only looks after the one that it listens to.
  var isWatch: Bool { false }

  // MARK: Running its handler

  /// Does what it was made for, now that `source` is settled.
  final func run(after source: PromiseNode, in lane: LaneContext) {
    guard let runStep, !isSealed else { return }
    if contextReference.isCancelled, isWanted(after: source) {
      cancel()
      return
    }
    // Who cancels it from now on leaves the step alone.
    guard wants.contains(.atOnce) ? claimAndSeal() : claim() else { return }
    takeSource()
    if source.hasFailed { inheritFailure(from: source) }
    let chains = lane.chains
    let outer = chains.pointee.handler
    chains.pointee.handler = contextReference.pointer
    if wants.isDisjoint(with: [.recorded, .quiet]) {
      runStep(source, self)
    } else {
      recordRun(after: source, in: lane) { runStep(source, self) }
    }
    chains.pointee.handler = outer
  }

  /// Whether its chain is recorded, and has not ended before it is settled.
  @usableFromInline final var isRecorded: Bool { wants.contains(.recorded) }

  /// Where its own handler runs.
  final var target: PromiseContext { (ownTarget ?? contextReference).context }

  final func isWanted(after source: PromiseNode) -> Bool {
    wants.contains(source.hasFailed ? .failure : .success)
  }

  /// The error that it has failed with.
  final func error<Failure: Error>(_: Failure.Type) -> Failure { outcome.load(Failure.self) }

  // MARK: References as bits

  final func bits(retaining: Bool) -> UInt {
    let reference =
      retaining ? Unmanaged.passRetained(self) : Unmanaged.passUnretained(self)
    return UInt(bitPattern: reference.toOpaque())
  }

  static func reference(_ bits: UInt) -> Unmanaged<PromiseNode>? {
    UnsafeRawPointer(bitPattern: bits & Flag.list).map { Unmanaged.fromOpaque($0) }
  }
}
