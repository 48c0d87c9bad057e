internal import DequeModule
internal import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A fixed number of workers that share one queue of jobs.
///
/// Each worker is a serial Dispatch queue with a lane of its own: Dispatch gives it a thread when it
/// has something to do, and a worker that blocks holds up nobody but itself.
final class LivePool: Scheduler {
  private struct State {
    var jobs: Deque<Job> = []
    /// The workers without a job; the one that has rested the shortest is last.
    var idle: [Int]
  }

  private struct Worker {
    let queue: DispatchQueue
    let lane: Lane
  }

  private let workers: [Worker]
  private let state: Locked<State>
  let width: Int

  init(width: Int) {
    self.width = width
    workers = (1...width).map {
      Worker(queue: DispatchQueue(label: "pool-\($0)"), lane: LaneContext.nextLane())
    }
    state = Locked(State(idle: Array((0..<width).reversed())))
  }

  static var coreCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

  var now: Instant { LiveClock.now }

  func schedule(_ job: @escaping @Sendable () -> Void) { schedule(Job(job)) }

  func schedule(_ job: Job) {
    let worker = state.withLock { state in
      state.jobs.append(job)
      return state.idle.popLast()
    }
    if let worker { workers[worker].queue.async { self.drain(as: worker) } }
  }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let job = Job(job)
    return LiveTimer(after: delay) { self.schedule(job) }
  }

  /// Runs jobs until there are none.
  private func drain(as worker: Int) {
    let context = LaneContext.current
    let outer = context.lane
    context.lane = workers[worker].lane
    defer { context.lane = outer }
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
