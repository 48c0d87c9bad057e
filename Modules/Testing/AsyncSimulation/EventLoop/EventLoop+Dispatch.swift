import AsyncPatterns
import SwiftTasks

/// Receives the items that code submits to Dispatch. The code is not aware of the simulation.
extension EventLoop {
  func receive(_ item: DispatchItem, after delay: Int64) {
    let target = target(of: item.queue)
    let job = job(item)
    guard delay > 0 else { return enqueue(.job(job), for: target) }
    add(Timer(job, for: target, of: self), at: now.advanced(by: .nanoseconds(delay)))
  }

  /// Runs the item, and returns when it has run. As in Dispatch, the calling thread runs it if the queue is free, and
  /// holds the queue meanwhile. Code that already runs on the queue waits forever.
  func runNow(_ item: DispatchItem) {
    let target = target(of: item.queue)
    switch target {
    case .strand(let strand) where strand.isActive:
      runElsewhere(item, target)
    case .strand(let strand):
      strand.isActive = true
      item.run()
      becomesFree(strand)
    case .main: runElsewhere(item, target)
    case .pool, .side: item.run()
    }
  }

  private func runElsewhere(_ item: DispatchItem, _ target: Target) {
    let blocking = makeBlocking(for: "the queue “\(item.queue.label)”")
    let job = job(item) { blocking.end() }
    enqueue(.job(job), for: target)
    blocking.wait(atMost: nil)
  }

  private func job(_ item: DispatchItem, then: @escaping @Sendable () -> Void = {}) -> Job {
    let context = LaneContext.current
    let span = taskLog?.becomesReady(item, on: context.span, at: now)
    return context.resuming(span ?? context.span) {
      Job(
        { [unowned self] in
          if let span { taskLog?.starts(span, at: now) }
          item.run()
          if let span { taskLog?.finishes(span, at: now) }
          then()
        }, in: context)
    }
  }

  func makeBlocking(for name: String) -> any Blocking {
    SimulatedBlocking(SimulatedSemaphore(0, number: 0, called: name, of: self), of: self)
  }

  private func target(of queue: DispatchQueueID) -> Target {
    switch queue.kind {
    case .main: return .main
    case .concurrent: return .pool
    case .serial:
      if let known = strands[queue] { return .strand(known) }
      let strand = Strand(label: queue.label)
      queue.retain()
      strands[queue] = strand
      return .strand(strand)
    }
  }

  /// Releases the queues of Dispatch.
  func forgetQueues() {
    for queue in strands.keys { queue.release() }
    strands = [:]
  }
}

/// Blocks a thread of the simulation, which keeps its lane meanwhile.
final class SimulatedBlocking: Blocking, @unchecked Sendable {
  // Safe to share: only the holder of the simulation's baton touches it.
  private let semaphore: SimulatedSemaphore
  private unowned let loop: EventLoop
  /// Whether the wait is among the timers of the loop.
  private var isTimed = false
  private(set) var hasEnded = false
  /// The step whose code waits.
  let span = LaneContext.current.span

  init(_ semaphore: SimulatedSemaphore, of loop: EventLoop) {
    self.semaphore = semaphore
    self.loop = loop
  }

  func wait(atMost limit: Int64?) {
    if let limit, !hasEnded {
      isTimed = true
      let deadline = loop.now.advanced(by: .nanoseconds(limit))
      loop.timers.add(.blocking(self), at: deadline, chain: loop.chains.next())
    }
    semaphore.wait()
  }

  func end() {
    if hasEnded { return }
    hasEnded = true
    if isTimed { loop.timers.didCancel() }
    semaphore.signal()
  }

  /// Ends the wait because its time has passed. That takes no worker.
  func timeOut() {
    hasEnded = true
    semaphore.givePermit(from: .none)
  }
}
