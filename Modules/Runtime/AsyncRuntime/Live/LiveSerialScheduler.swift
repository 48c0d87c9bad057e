internal import DequeModule

/// Runs its jobs one after another on the workers of a pool. It holds a worker only while it runs a job: after each
/// job, other jobs that wait for a worker run first.
final class LiveSerialScheduler: Scheduler, @unchecked Sendable {
  // Safe to share: all properties are constant, except `taken`, which only the worker that runs the jobs accesses.
  private struct State {
    var jobs: Deque<Job> = []
    var isRunning = false
  }

  private let pool: LivePool
  private let trace: (any TraceSink)?
  private let state = Locked(State())
  /// The jobs that the worker has taken from the state. It took the lock only once for all of them.
  @exclusivity(unchecked) private var taken: Deque<Job> = []

  /// - Parameter trace: records which jobs were queued.
  init(on pool: LivePool, trace: (any TraceSink)?) {
    self.pool = pool
    self.trace = trace
  }

  var now: Instant { LiveClock.now }

  func schedule(_ job: @escaping @Sendable () -> Void) {
    guard let due = DueTime.live(on: self, trace: trace) else { return schedule(Job(job), nil) }
    schedule(Job(due.hopped(job)), due)
  }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let due = DueTime.live(after: delay, on: self, trace: trace)
    let job = if let due { Job(due.timed(job)) } else { Job(job) }
    return LiveTimer(after: delay, job) { self.schedule($0, due) }
  }

  private func schedule(_ job: Job, _ due: DueTime?) {
    let isIdle = state.withLock { state in
      if state.isRunning { due?.noteHeld() }
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isIdle { pool.schedule(Job { self.drain() }, due) }
  }

  private func drain() {
    let context = LaneContext.current
    while let job = next() {
      context.run(job, of: identity)
      if pool.hasWaiting { return pool.schedule { self.drain() } }
    }
  }

  private func next() -> Job? {
    if taken.isEmpty, !takeJobs() { return nil }
    return taken.removeFirst()
  }

  /// - Returns: false if there are no more jobs. From then on, another worker may run the next ones.
  private func takeJobs() -> Bool {
    state.withLock { state in
      state.isRunning = !state.jobs.isEmpty
      if state.isRunning { swap(&state.jobs, &taken) }
      return state.isRunning
    }
  }
}
