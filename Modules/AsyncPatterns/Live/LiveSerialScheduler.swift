internal import DequeModule

/// Runs its jobs one after another on the workers of a pool, and holds one of them only while it runs
/// a job: after each it lets those go first that wait for a worker.
final class LiveSerialScheduler: Scheduler {
  private struct State {
    var jobs: Deque<Job> = []
    var isRunning = false
  }

  private let pool: LivePool
  private let trace: (any TraceSink)?
  private let state = Locked(State())

  /// - Parameter trace: told which timers waited for their turn.
  init(on pool: LivePool, trace: (any TraceSink)?) {
    self.pool = pool
    self.trace = trace
  }

  var now: Instant { LiveClock.now }

  func schedule(_ job: @escaping @Sendable () -> Void) { schedule(Job(job)) }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    LiveTimer(after: delay, on: self, trace, running: job) { self.schedule($0) }
  }

  private func schedule(_ job: Job) {
    let isIdle = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isIdle { pool.schedule { self.drain() } }
  }

  private func drain() {
    while let job = next() {
      job.run()
      if pool.hasWaiting { return pool.schedule { self.drain() } }
    }
  }

  private func next() -> Job? {
    state.withLock { state in
      if let job = state.jobs.popFirst() { return job }
      state.isRunning = false
      return nil
    }
  }
}
