internal import DequeModule

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A fixed number of workers that share one queue of jobs: first in, first out.
///
/// Each worker is a thread with its own lane. A worker that blocks does not delay the others. The
/// workers are not Dispatch threads: Dispatch has at most 255. Jobs that block all of those would
/// stop everything else that runs on Dispatch.
final class LivePool: Scheduler {
  private struct State {
    var jobs: Deque<Job> = []
    /// The workers without a job. The worker that had a job most recently is last.
    var idle: [Int]
  }

  private let workers: [LiveWorker]
  private let state: Locked<State>
  let width: Int

  /// - Parameters:
  ///   - kept: the number of threads that stay as long as the pool exists, once they have started.
  ///   - patience: how long each of the other threads stays without a job.
  init(width: Int, keeping kept: Int, patience: Duration) {
    self.width = width
    let threads = WorkerThreads(keeping: kept, patience: patience)
    workers = (1...width).map { LiveWorker("pool-\($0)", among: threads) }
    state = Locked(State(idle: Array((0..<width).reversed())))
  }

  /// No job runs now, and none will, since the last reference is released.
  deinit { for worker in workers { worker.dismiss() } }

  static var coreCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

  var now: Instant { LiveClock.now }

  func schedule(_ job: @escaping @Sendable () -> Void) { schedule(Job(job)) }

  /// - Parameter due: is notified if no worker is free.
  func schedule(_ job: Job, _ due: DueTime? = nil) {
    let worker = state.withLock { state in
      if state.idle.isEmpty { due?.noteHeld() }
      state.jobs.append(job)
      return state.idle.popLast()
    }
    if let worker { workers[worker].run { self.drain(as: worker) } }
  }

  /// Whether each worker has a job.
  var isBusy: Bool { state.withLock { $0.idle.isEmpty } }

  /// Whether jobs wait because all workers are busy. While a worker is idle, each waiting job has a
  /// worker that is about to wake up.
  var hasWaiting: Bool { state.withLock { !$0.jobs.isEmpty && $0.idle.isEmpty } }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let job = Job(job)
    return LiveTimer(after: delay) { self.schedule(job) }
  }

  /// Runs jobs until there are none.
  private func drain(as worker: Int) {
    while let job = next(for: worker) { job.run() }
  }

  private func next(for worker: Int) -> Job? {
    state.withLock { state in
      if let job = state.jobs.popFirst() { return job }
      state.idle.append(worker)
      return nil
    }
  }
}
