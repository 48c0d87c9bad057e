import AsyncRuntime
import Synchronization

/// Moves dependents of one promise to the scheduler where their handlers run. One job serves all of
/// them, and also the links after them on that scheduler.
final class Hop: LaneWork, @unchecked Sendable {
  // Safe to share: one thread fills the hop and schedules it, and one other thread runs it.
  let source: PromiseNode
  let target: ContextReference
  private var first: Unmanaged<PromiseNode>?
  private var last: Unmanaged<PromiseNode>?

  init(of source: PromiseNode, to target: ContextReference) {
    self.source = source
    self.target = target.retained()
  }

  convenience init(of source: PromiseNode, to target: ContextReference, _ dependent: PromiseNode) {
    self.init(of: source, to: target)
    append(dependent)
  }

  deinit {
    // The scheduler has released the job without running it.
    while let dependent = PromiseNode.popFirst(&first) { dependent.loseSource(isCancelled: false) }
    target.release()
  }

  func append(_ dependent: PromiseNode) {
    let reference = Unmanaged.passRetained(dependent)
    if let last { last.takeUnretainedValue().next = reference } else { first = reference }
    last = reference
  }

  /// Schedules the hop. If the thread of `lane` runs a job of the target already, the dependents follow that job. But
  /// they do not overtake others of the same promise that the scheduler has yet to run.
  func schedule(in lane: LaneContext) {
    let isFirst = source.countHop()
    if isFirst, target.pointee({ $0.isPlaced(at: lane.scheduler) }) {
      return lane.performAfterJob(self)
    }
    target.pointee { $0.schedule { self.run(in: LaneContext.current) } }
  }

  func run(in lane: LaneContext) {
    let outer = lane.chains.pointee
    lane.chains.pointee.job = target.pointer
    lane.performNested {
      NotificationRound.each(first.take(), of: source, notifiesAdded: false, in: lane) {
        dependent, isLast in
        // Dependents that the last handler adds can run here, without a hop.
        if isLast { source.discountHop() }
        dependent.run(after: source, in: lane)
      }
    }
    lane.chains.pointee = outer
  }
}
