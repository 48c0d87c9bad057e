import AsyncPatterns

/// The pool, the main lane, or a serial scheduler of a simulation. It is an object, so code that keeps it counts a single
/// reference.
class SimulatedScheduler: Scheduler, @unchecked Sendable {
  // Safe to share: only the holder of the baton touches the strand in `target`.
  final let loop: EventLoop
  final let target: Target

  init(loop: EventLoop, target: Target) {
    self.loop = loop
    self.target = target
  }

  var now: Instant { loop.now }

  var identity: ObjectIdentifier? {
    if case .strand(let strand) = target { ObjectIdentifier(strand) } else { nil }
  }

  func schedule(_ job: @escaping @Sendable () -> Void) {
    let context = LaneContext.current
    guard loop.isCarried(in: context) else { return post(hop(to: job, in: context)) }
    loop.enqueue(
      .job(loop.trace == nil ? Job(job, in: context) : hop(to: job, in: context)), for: target)
  }

  private func post(_ job: Job) {
    loop.inbox.post { $0.enqueue(.job(job), for: self.target) }
  }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let context = LaneContext.current
    let timer = Timer(
      loop.trace == nil ? Job(job, in: context) : wait(for: delay, then: job, in: context),
      for: target, of: loop)
    let deadline = loop.now.advanced(by: delay)
    if loop.isCarried(in: context) {
      loop.add(timer, at: deadline)
    } else {
      loop.inbox.post { $0.add(timer, at: deadline) }
    }
    return timer
  }

  // MARK: Jobs that the trace records
  // Never inlined, so that they cost nothing without a trace.

  @inline(never)
  private func hop(to job: @escaping @Sendable () -> Void, in context: LaneContext) -> Job {
    guard let due = due(after: .zero) else { return Job(job, in: context) }
    return Job(due.hopped(job), in: context)
  }

  @inline(never)
  private func wait(
    for delay: Duration, then job: @escaping @Sendable () -> Void, in context: LaneContext
  ) -> Job {
    guard let due = due(after: delay) else { return Job(job, in: context) }
    return Job(due.timed(job), in: context)
  }

  private func due(after delay: Duration) -> DueTime? {
    loop.trace.flatMap { DueTime.make(after: delay, on: self, trace: $0) }
  }
}

/// The main lane of a simulation, or another run loop of it.
final class SimulatedRunLoop: SimulatedScheduler, RunLoopScheduler, @unchecked Sendable {
  init(on side: SideLoop?, of loop: EventLoop) {
    super.init(loop: loop, target: side.map { .side($0) } ?? .main)
  }

  private var side: SideLoop? { if case .side(let side) = target { side } else { nil } }

  var isCurrent: Bool {
    let context = LaneContext.current
    return loop.isCarried(in: context) && loop.current.lane == side?.lane ?? 0
  }

  func atEndOfTurn(
    order: Int, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let action = EndOfTurnAction(order: order, Job(action), on: side, of: loop)
    loop.perform { $0.add(action) }
    return action
  }

  func wake() {
    loop.perform { [side] loop in
      if let side { loop.beginTurn(of: side) } else { loop.beginTurn() }
    }
  }
}
