/// A pool for the runs of one trace. It records which jobs waited for a worker.
final class TracedPool: Scheduler {
  private let pool: LivePool
  let trace: any TraceSink

  init(_ pool: LivePool, _ trace: any TraceSink) {
    self.pool = pool
    self.trace = trace
  }

  var now: Instant { LiveClock.now }

  func schedule(_ job: @escaping @Sendable () -> Void) {
    // A job that finds a free worker does not wait.
    guard pool.isBusy, let due = DueTime.live(on: self, trace: trace) else {
      return pool.schedule(job)
    }
    pool.schedule(Job(due.hopped(job)), due)
  }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let due = DueTime.live(after: delay, on: self, trace: trace)
    let job = if let due { Job(due.timed(job)) } else { Job(job) }
    return LiveTimer(after: delay, job) { self.pool.schedule($0, due) }
  }
}
