import AsyncPatterns

/// The pool, the main lane, or a serial scheduler of a simulation.
struct SimulatedScheduler: Scheduler, @unchecked Sendable {
  // Safe to share: only the holder of the baton touches the strand in `target`.
  let loop: EventLoop
  let target: Target

  var now: Instant { loop.now }

  var identity: ObjectIdentifier? {
    if case .strand(let strand) = target { ObjectIdentifier(strand) } else { nil }
  }

  func schedule(_ job: @escaping @Sendable () -> Void) {
    let context = LaneContext.current
    // No `??`: it would wrap the closure, which costs as much as everything else here.
    let due = due(after: .zero)
    let job = if let due { Job(due.hopped(job), in: context) } else { Job(job, in: context) }
    if loop.isCarried(in: context) {
      loop.enqueue(.job(job), for: target)
    } else {
      loop.inbox.post { $0.enqueue(.job(job), for: self.target) }
    }
  }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let context = LaneContext.current
    let due = due(after: delay)
    let job = if let due { Job(due.timed(job), in: context) } else { Job(job, in: context) }
    let timer = Timer(consume job, for: target, of: loop)
    let deadline = loop.now.advanced(by: delay)
    if loop.isCarried(in: context) {
      loop.add(timer, at: deadline)
    } else {
      loop.inbox.post { $0.add(timer, at: deadline) }
    }
    return timer
  }
}

extension SimulatedScheduler {
  @inline(__always)
  private func due(after delay: Duration) -> DueTime? {
    // This check comes first: without a trace, the function must cost nothing.
    guard let trace = loop.trace else { return nil }
    return DueTime.make(after: delay, on: self, trace: trace)
  }
}

/// The main lane of a simulation, or another run loop of it.
struct SimulatedRunLoop: RunLoopScheduler {
  private let jobs: SimulatedScheduler
  private let side: SideLoop?

  init(on side: SideLoop?, of loop: EventLoop) {
    jobs = SimulatedScheduler(loop: loop, target: side.map { .side($0) } ?? .main)
    self.side = side
  }

  var now: Instant { jobs.now }

  func schedule(_ job: @escaping @Sendable () -> Void) { jobs.schedule(job) }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    jobs.schedule(after: delay, job)
  }

  var isCurrent: Bool {
    let context = LaneContext.current
    return jobs.loop.isCarried(in: context) && jobs.loop.current.lane == side?.lane ?? 0
  }

  func atEndOfTurn(
    order: Int, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let action = EndOfTurnAction(order: order, Job(action), on: side, of: jobs.loop)
    jobs.loop.perform { $0.add(action) }
    return action
  }

  func wake() {
    jobs.loop.perform { loop in
      if let side { loop.beginTurn(of: side) } else { loop.beginTurn() }
    }
  }
}
