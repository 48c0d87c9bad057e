import AsyncRuntime
import Synchronization

/// Moves dependents of one promise to the scheduler where their handlers run. One job serves all of them, and also the
/// links that follow from them on that scheduler.
final class Hop: @unchecked Sendable {
  // Safe to share: one thread fills the hop and schedules it, and one other thread runs it.
  let source: PromiseNode
  let target: PromiseContext
  private var first: Unmanaged<PromiseNode>?
  private var last: Unmanaged<PromiseNode>?

  init(of source: PromiseNode, to target: PromiseContext) {
    self.source = source
    self.target = target
  }

  convenience init(of source: PromiseNode, to target: PromiseContext, _ listener: PromiseNode) {
    self.init(of: source, to: target)
    append(listener)
  }

  deinit {
    // The scheduler has released the job without running it.
    while let listener = PromiseNode.popFirst(&first) { listener.loseSource(isCancelled: false) }
  }

  func append(_ listener: PromiseNode) {
    let reference = Unmanaged.passRetained(listener)
    if let last { last.takeUnretainedValue().next = reference } else { first = reference }
    last = reference
  }

  func schedule() {
    source.hops.add(1, ordering: .acquiringAndReleasing)
    target.schedule { self.run(in: LaneContext.current) }
  }

  private func run(in lane: LaneContext) {
    let outer = lane.chains.pointee
    lane.chains.pointee.job = UnsafeRawPointer(Unmanaged.passUnretained(target).toOpaque())
    lane.performNested {
      TellingRound.each(first.take(), of: source, tellsAdded: false, in: lane) { listener, isLast in
        // Dependents that the last handler adds can run here, without a hop.
        if isLast { source.hops.subtract(1, ordering: .acquiringAndReleasing) }
        listener.run(after: source, in: lane)
      }
    }
    lane.chains.pointee = outer
  }
}
