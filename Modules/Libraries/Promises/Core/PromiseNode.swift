import AsyncRuntime
import Synchronization

/// The part of a promise that does not depend on its types: whether it is settled, and which nodes
/// wait for it. A node that waits for this one is called its dependent. A node is itself a
/// dependent of its source, which is the promise from which it was made. So a link is one object.
///
/// One word holds the flags and the list of dependents, latest first. Several threads can change it at the same time,
/// and none of them waits for another one:
///
/// - The thread that *seals* the word settles the promise. It writes the result, then publishes it with the flag
///   `settled`.
/// - If that thread finds dependents, it sets the flag `busy`. It then notifies them, from the loop of the lane, until
///   none are left. Dependents added in the meantime go to the same list. So dependents are always notified in the
///   order in which they were added.
/// - A dependent that was sealed in the meantime, because it was cancelled, is skipped.
///
/// A node takes at most 120 bytes, with what its subclass adds. The allocator of Linux frees larger memory under a lock.
/// The thread that frees a chain is often not the one that makes chains, and the two would wait for each other. Only
/// links with a placement of their own and lazy promises are larger.
@usableFromInline
class PromiseNode: LaneWork, @unchecked Sendable {
  // Safe to share: each property is constant or atomic, or belongs to one thread. The thread that
  // has sealed the word owns the result. The thread that has set `busy` owns `next` of the nodes in
  // the list.
  let state: Atomic<UInt>
  /// The source of the node, as a retained reference. The code that takes it out owns the reference. After a failure,
  /// this word holds the path of the failure.
  let source: Atomic<UInt>
  /// The node that was added to the same list before this one. If the node is forwarded, this is
  /// the adopter that was handed on.
  @exclusivity(unchecked) final var next: Unmanaged<PromiseNode>?
  /// The outcomes for which the node has a handler. For other outcomes, `step` only passes the result on, without a
  /// hop.
  let wants: Wants
  @exclusivity(unchecked) @usableFromInline final var holdsStep = false
  @exclusivity(unchecked) @usableFromInline final var holdsOutcome = false
  @exclusivity(unchecked) private final var holdsTrail = false
  /// The number of scheduled jobs that have not yet notified all of their dependents. From `UInt16.max` on it no longer
  /// changes.
  private let hops = Atomic<UInt16>(0)
  /// The number of dependents to be cancelled until the list is cleaned up.
  let lossesLeft = Atomic<UInt16>(1)
  /// The result. It belongs to the code that has sealed the node. Once the node is settled, all code can read it.
  @exclusivity(unchecked) @usableFromInline final var outcome = Payload()
  // The properties above are used when the node is settled. So they are close together in memory.
  /// The context of the node's chain.
  @usableFromInline let contextReference: ContextReference
  /// The step to run, which belongs to the code that claims the node. Later this stores the sites
  /// of `trail`, which belong to the code that is reading the source.
  @exclusivity(unchecked) @usableFromInline final var step = Payload()
  @usableFromInline let site: Site
  /// The number of dependents. Counted only for a node that is cancelled when it has none left.
  let live = Atomic<UInt32>(0)

  /// The outcomes of the source for which the node has a handler, and other properties of the node.
  @usableFromInline
  struct Wants: OptionSet {
    @usableFromInline let rawValue: UInt8
    @usableFromInline init(rawValue: UInt8) { self.rawValue = rawValue }
    @usableFromInline static var success: Wants { Wants(rawValue: 1) }
    @usableFromInline static var failure: Wants { Wants(rawValue: 2) }
    @usableFromInline static var any: Wants { [.success, .failure] }
    /// No code can cancel the node while its step runs. So the code that runs the step also settles
    /// the node.
    @usableFromInline static var immediate: Wants { Wants(rawValue: 4) }
    /// The handler runs on the lane of the code that settles the source.
    @usableFromInline static var inline: Wants { Wants(rawValue: 8) }
    /// The node is not a link of a chain, but waits on behalf of another promise.
    @usableFromInline static var quiet: Wants { Wants(rawValue: 16) }
    /// The node only observes: its outcome does not become the outcome of the chain.
    @usableFromInline static var observer: Wants { Wants(rawValue: 32) }
    /// The chain is recorded, and does not end before this node is settled.
    @usableFromInline static var recorded: Wants { Wants(rawValue: 64) }
    /// The handler has a placement of its own, see `ownTarget`.
    @usableFromInline static var placed: Wants { Wants(rawValue: 128) }

    /// Whether a node that is added to a source with these flags is notified immediately. This is
    /// so if its handler runs inline in the code that adds it, or if no handler runs.
    func isNotified(by source: UInt) -> Bool {
      guard source & Flag.settled != 0 else { return false }
      return contains(.inline) || !contains(source & Flag.failed != 0 ? .failure : .success)
    }
  }

  /// Creates a node without a source.
  ///
  /// - Parameter context: the node takes ownership of it.
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
    self.site = site
  }

  /// Creates a node with the source `source`. The caller must still add it to the source's dependents.
  ///
  /// - Parameter context: the node takes ownership of it.
  @usableFromInline
  init(of source: PromiseNode, _ context: ContextReference, _ wants: Wants, _ site: Site) {
    let flags = source.state.load(ordering: .relaxed)
    // If the source is settled, there is nothing to wait for. Then no reference to it is needed for a later
    // cancellation.
    state = Atomic(flags & Flag.cancelsUnused)
    self.source = Atomic(flags & Flag.settled == 0 ? source.bits(retaining: true) : 0)
    let isInline = !wants.contains(.placed) && context.isInline
    let wants = isInline ? wants.union(.inline) : wants
    if context.recordsChains, !wants.contains(.quiet), !wants.isNotified(by: flags) {
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
    contextReference.release()
  }

  /// The sites of promises that have handed this node on, so that a cycle can name them. Only the first ones are kept.
  final var trail: [Site] { holdsTrail ? step.load([Site].self) : [] }

  final func addToTrail(_ site: Site) {
    // A node that still stores a step has no room here, but it has not adopted anything yet.
    guard !holdsStep, trail.count < PromiseCycle.limit else { return }
    let longer = trail + [site]
    if holdsTrail { step.destroy([Site].self) }
    step.store(longer)
    holdsTrail = true
  }

  final var context: PromiseContext { contextReference.context }

  /// The context in which a handler of the chain runs if its own placement is `placement`.
  @usableFromInline
  final func target(at placement: Placement) -> ContextReference {
    ContextReference(context.at(placement))
  }

  // MARK: Operations that depend on the types

  /// Settles the node with the result of `source`, which has the same type.
  func take(from source: PromiseNode) { fatalError("a node without a type takes nothing") }

  /// Called when the source will never be settled.
  ///
  /// - Parameter isCancelled: whether the source was cancelled.
  func loseSource(isCancelled: Bool) { goWithoutSource(isCancelled: isCancelled) }

  /// Settles the node as cancelled, after it was sealed. Abandons it if its failure type cannot be a cancellation.
  func finishAsCancelled() { abandon() }

  /// Settles the node, after it was sealed, with the error for the cycle that it is part of.
  ///
  /// - Returns: whether its failure type can be that error.
  func finish(with cycle: PromiseCycle) -> Bool { false }

  @usableFromInline func destroyStep() {}
  @usableFromInline func destroyResult() {}

  /// Settles the node, after it was sealed, with the error for a released resolver.
  ///
  /// - Returns: whether its failure type can be that error.
  func finish(with dropped: ResolverDropped) -> Bool { false }

  /// Called when the node has been cancelled, to notify the code that produces its value.
  func wasCancelled() {}

  /// Called when the node has been settled or abandoned.
  func wasConcluded() {}

  /// The error with which the node has failed.
  var anyError: (any Error)? { nil }

  /// Starts the work of a lazy promise. Called once, when the first dependent is added or the promise is started.
  func begin() {}

  /// Whether the node only watches its source, and needs no result.
  var isWatch: Bool { false }

  // MARK: Running the handler

  /// Runs the step of a node that has a source, with the result of `source`.
  func runStep(after source: PromiseNode) {}

  /// Runs the node's step, now that `source` is settled.
  final func run(after source: PromiseNode, in lane: LaneContext) {
    if isSealed { return }
    if contextReference.isCancelled, isWanted(after: source) {
      cancel()
      return
    }
    // From here on, a cancellation does not touch the step.
    guard wants.contains(.immediate) ? claimAndSeal() : claim() else { return }
    takeSource()
    if source.hasFailed { inheritFailure(from: source) }
    let chains = lane.chains
    let outer = chains.pointee.handler
    chains.pointee.handler = contextReference.pointer
    if wants.isDisjoint(with: [.recorded, .quiet]) {
      runStep(after: source)
    } else {
      recordRun(after: source, in: lane) { runStep(after: source) }
    }
    chains.pointee.handler = outer
  }

  /// Whether the chain is recorded, and does not end before this node is settled.
  @usableFromInline final var isRecorded: Bool { wants.contains(.recorded) }

  /// The placement of the node's handler. It exists as long as the node.
  final var target: ContextReference { wants.contains(.placed) ? ownTarget : contextReference }

  /// The placement of the handler alone, if `wants` contains `placed`.
  var ownTarget: ContextReference { contextReference }

  final func isWanted(after source: PromiseNode) -> Bool {
    wants.contains(source.hasFailed ? .failure : .success)
  }

  /// The error with which the node has failed.
  final func error<Failure: Error>(_: Failure.Type) -> Failure { outcome.load(Failure.self) }

  // MARK: Hops

  /// Whether scheduled jobs have yet to notify dependents.
  final var hasHops: Bool { hops.load(ordering: .acquiring) != 0 }

  /// Counts a job that is about to be scheduled.
  ///
  /// - Returns: whether no other one has yet to notify dependents.
  final func countHop() -> Bool { changeHops { $0 + 1 } == 0 }

  /// Counts the end of a job.
  final func discountHop() { changeHops { $0 - 1 } }

  /// - Returns: the number before.
  @discardableResult
  private func changeHops(_ change: (UInt16) -> UInt16) -> UInt16 {
    var count = hops.load(ordering: .relaxed)
    while count < .max {
      let (isDone, now) = hops.weakCompareExchange(
        expected: count, desired: change(count),
        successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
      if isDone { break }
      count = now
    }
    return count
  }

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
