import AsyncRuntime

/// A serial scheduler that runs its jobs on the thread that calls `runAll`, so that their allocations can be counted.
final class SteppedScheduler: Scheduler {
  private struct State {
    var jobs: [Job?] = []
    var count = 0

    mutating func next() -> Job? {
      guard count < jobs.count else { return nil }
      defer { count += 1 }
      return jobs[count].take()
    }
  }

  private let state = Locked(State())

  /// - Parameter capacity: the number of jobs that need no allocation.
  init(capacity: Int) { state.withLock { $0.jobs.reserveCapacity(capacity) } }

  var now: Instant { LiveRuntime.shared.now }

  func schedule(_ job: @escaping @Sendable () -> Void) {
    state.withLock { $0.jobs.append(Job(job)) }
  }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    LiveRuntime.shared.pool.schedule(after: delay) { self.schedule(job) }
  }

  /// Runs jobs until none are left.
  func runAll() {
    let context = LaneContext.current
    while let job = state.withLock({ $0.next() }) { context.run(job, of: identity) }
  }
}
