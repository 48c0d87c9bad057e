/// A scheduler of a live runtime that takes its time from a clock.
struct ClockScheduler: Scheduler {
  let scheduler: any Scheduler
  let timers: ClockTimers

  var now: Instant { timers.now }
  var identity: ObjectIdentifier? { scheduler.identity }

  func schedule(_ job: @escaping @Sendable () -> Void) { scheduler.schedule(job) }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    timers.schedule(after: delay, job, on: scheduler)
  }
}

/// A run loop of a live runtime that takes its time from a clock.
struct ClockRunLoop: RunLoopScheduler {
  let loop: any RunLoopScheduler
  let timers: ClockTimers

  var now: Instant { timers.now }
  var isCurrent: Bool { loop.isCurrent }

  func schedule(_ job: @escaping @Sendable () -> Void) { loop.schedule(job) }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    timers.schedule(after: delay, job, on: loop)
  }

  func atEndOfTurn(
    order: Int, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    loop.atEndOfTurn(order: order, action)
  }

  func wake() { loop.wake() }
}

extension ClockTimers {
  /// Schedules `job` at the deadline, on behalf of the calling code.
  fileprivate func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void, on scheduler: any Scheduler
  ) -> any Cancellable {
    let job = Job(job)
    return schedule(after: delay) { scheduler.schedule { job.run() } }
  }
}
