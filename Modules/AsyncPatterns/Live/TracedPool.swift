/// A pool as the runs of one trace use it: the trace learns which timers waited for a worker.
final class TracedPool: Scheduler {
  private let pool: LivePool
  let trace: any TraceSink

  init(_ pool: LivePool, _ trace: any TraceSink) {
    self.pool = pool
    self.trace = trace
  }

  var now: Instant { LiveClock.now }

  func schedule(_ job: @escaping @Sendable () -> Void) {
    // What a timer cuts off after a hop is told, too.
    guard LaneContext.current.isByTimer,
      let due = DueTime.make(on: self, trace: trace, isHeld: false)
    else { return pool.schedule(job) }
    pool.schedule(due.hopped(job))
  }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let due = DueTime.make(after: delay, on: self, trace: trace, isHeld: false)
    let job = if let due { Job(due.timed(job)) } else { Job(job) }
    return LiveTimer(after: delay) { self.pool.schedule(job, due) }
  }
}
