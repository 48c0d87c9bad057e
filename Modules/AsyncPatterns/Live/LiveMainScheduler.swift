internal import Dispatch

/// The main queue, which the run loop of the main thread serves.
struct LiveMainScheduler: Scheduler {
  var now: Instant { LiveClock.now }

  func schedule(_ job: @escaping @Sendable () -> Void) {
    let job = Job(job)
    DispatchQueue.main.async { job.run() }
  }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let job = Job(job)
    return LiveTimer(after: delay) { DispatchQueue.main.async { job.run() } }
  }
}
