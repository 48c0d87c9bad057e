internal import Synchronization

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
  private let workers: [LiveWorker]
  private let state: Locked<LivePoolState>
  /// Whether a job has come since a worker began to look for one.
  private let hasCome = Atomic<Bool>(false)
  private let waiting = Atomic<Bool>(false)
  let width: Int

  /// - Parameters:
  ///   - kept: the number of threads that stay as long as the pool exists, once they have started.
  ///   - patience: how long each of the other threads stays without a job.
  init(width: Int, keeping kept: Int, patience: Duration) {
    self.width = width
    let threads = WorkerThreads(keeping: kept, patience: patience)
    workers = (1...width).map { LiveWorker("pool-\($0)", among: threads) }
    state = Locked(LivePoolState(width: width))
  }

  /// No job runs now, and none will, since the last reference is released.
  deinit { for worker in workers { worker.dismiss() } }

  static var coreCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

  var now: Instant { LiveClock.now }

  func schedule(_ job: @escaping @Sendable () -> Void) { schedule(Job(job)) }

  /// - Parameter due: is notified if no worker is free.
  func schedule(_ job: Job, _ due: DueTime? = nil) {
    let scout = state.withLock { state in
      if state.isBusy { due?.noteHeld() }
      hasCome.store(true, ordering: .relaxed)
      let scout = state.append(job)
      waiting.store(state.hasWaiting, ordering: .relaxed)
      return scout
    }
    wake(scout)
  }

  private func wake(_ scout: Int?) {
    guard let scout else { return }
    workers[scout].run { self.drain(as: scout) }
  }

  /// Whether a job waits because all workers have one. Asking takes no lock.
  var hasWaiting: Bool { waiting.load(ordering: .relaxed) }

  /// Whether each worker has a job.
  var isBusy: Bool { state.withLock { $0.isBusy } }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let job = Job(job)
    return LiveTimer(after: delay, job) { self.schedule($0) }
  }

  /// Runs jobs until there are none.
  private func drain(as worker: Int) {
    var situation = LivePoolState.Situation.woken
    while let job = next(for: worker, after: situation) {
      job.run()
      situation = .ranJob
    }
  }

  /// The next job of a worker; nil if it sleeps from now on.
  private func next(for worker: Int, after first: LivePoolState.Situation) -> Job? {
    var situation = first
    while true {
      let step = state.withLock { state in
        let step = state.step(of: worker, after: situation)
        if case .look = step { hasCome.store(false, ordering: .relaxed) }
        waiting.store(state.hasWaiting, ordering: .relaxed)
        return step
      }
      switch step {
      case .run(let job, let scout):
        wake(scout)
        return job
      case .look:
        look()
        situation = .looked
      case .sleep: return nil
      }
    }
  }

  /// Returns when a job has come, or after a short time.
  ///
  /// If a worker slept immediately, each of a few jobs in a row would wake it. It would then often take the core of the
  /// thread that schedules the jobs. A worker that looked for longer would occupy that core, too.
  private func look() {
    let start = LiveClock.now
    while !hasCome.load(ordering: .relaxed),
      start.duration(to: LiveClock.now) < .nanoseconds(500)
    {}
  }
}
