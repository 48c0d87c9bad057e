internal import Dispatch

/// The main queue, which the run loop of the main thread serves.
struct LiveMainScheduler: Scheduler {
  var now: Instant { LiveClock.now }

  func schedule(_ job: @escaping @Sendable () -> Void) {
    let job = Job(job)
    DispatchQueue.main.async { job.runOnMain() }
  }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let job = Job(job)
    return LiveTimer(after: delay) { DispatchQueue.main.async { job.runOnMain() } }
  }
}

extension Job {
  /// Runs it as the main lane, which need not be the main thread: without a run loop, Dispatch serves
  /// the main queue from whichever thread it likes.
  func runOnMain() {
    let context = LaneContext.current
    let outer = context.lane
    context.lane = .main
    run()
    context.lane = outer
  }
}
