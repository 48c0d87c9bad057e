import AsyncPatterns

extension SimulatedRuntime {
  /// A thread that is blocked because it waits for a permit.
  public struct Waiter: Hashable, Sendable, CustomStringConvertible {
    public var lane: Lane
    /// The span that its code runs for; `.none` without a trace.
    public var span: Span
    public var since: Instant
    /// The semaphore that it waits for. The simulation's semaphores are numbered from 1.
    public var semaphore = 0
    /// The name of the thing that it waits for, if the semaphore is only a part of that thing.
    public var name: String?
    /// Whether the thread does not belong to the simulation, and so holds none of its lanes.
    public var isOutside = false
    /// Distinguishes its job from other jobs.
    var job: UInt32 = 0

    public var description: String {
      let lane = isOutside ? "another thread" : lane.text
      return "\(lane) has waited for \(name ?? "semaphore \(semaphore)") since \(since)"
    }
  }

  /// A permit of a semaphore that a job has taken and not given back.
  ///
  /// Recorded for semaphores that started with 1 to 16 permits. Reported while a thread waits for the semaphore.
  public struct PermitHold: Hashable, Sendable {
    public var semaphore: Int
    /// The lane on which the permit was taken.
    public var lane: Lane
    /// The span that took the permit; `.none` without a trace.
    public var span: Span
    public var since: Instant
    /// Distinguishes the job that took the permit from other jobs.
    var job: UInt32 = 0
  }

  /// A job that is ready and has not started. After a run that continued as far as possible, the job has not started
  /// because the lane that it needs is held.
  public struct UnstartedJob: Hashable, Sendable {
    /// The span that the job runs for; `.none` without a trace.
    public var span: Span
    public var needs: Need
    /// The label of the serial scheduler or run loop on which the job must run; nil for other jobs.
    public var queue: String?

    public enum Need: Sendable, Hashable {
      case main, worker
      /// The lane of a run loop other than the main one.
      case runLoop(Lane)
    }
  }

  /// Work came from a thread outside the simulation while the simulation ran: from a Dispatch queue, a thread or a
  /// socket. When it came depends on the machine.
  public struct Escape: Hashable, Sendable {
    public var time: Instant
    /// How many pieces of work came together.
    public var count: Int
    /// The tasks that the work resumed and the steps that it came from, where the trace knows them. Otherwise the steps
    /// whose asynchronous code was unfinished: if a step caused the work, it is one of them.
    public var suspects: [Span]
  }

  /// The state of a simulation at the end of its last run.
  public struct Report: Sendable {
    /// The threads that are blocked because they wait for a permit, in order of arrival. Each of them holds its lane,
    /// except threads outside the simulation.
    public var waiters: [Waiter] = []
    /// How many of the permits that the semaphores started with are missing. Dispatch would crash the program when a
    /// semaphore with missing permits is released.
    public var missingPermits = 0
    public var escapes: [Escape] = []
    /// The choices so far. Replaying them repeats the same simulation.
    public var schedule: [Int] = []
    public var pendingTimers = 0
    /// How many pool jobs are ready and have not started, because no worker was free or the run ended first.
    public var unstartedPoolJobs = 0
    public var unstartedMainJobs = 0
    /// The ready jobs that have not started: first those of the main lane, then those of the pool and of other run
    /// loops. Each group is in the order in which its jobs became ready, and has at most the first thousand.
    public var unstartedJobs: [UnstartedJob] = []
    /// The taken permits of the semaphores that threads wait for.
    public var permitHolds: [PermitHold] = []
    /// How many workers the pool has.
    public var workers = 0
    /// How many actions are registered for the end of each turn, on the main lane and on other run loops.
    public var endOfTurnActions = 0
    /// How many of those actions belong to run loops other than the main one.
    var endOfTurnActionsBeside = 0
    /// The steps whose asynchronous code has not returned.
    public var unfinishedAsynchronousBodies: [Span] = []
    /// The Swift tasks that have not completed; known only with a trace.
    public var unfinishedTasks: [UnfinishedTask] = []
  }

  /// The state of the simulation at the end of the last run.
  public var report: Report { loop.report.withLock { $0 } }

  /// The threads that were blocked when the last run ended because they waited for a permit, in order of arrival.
  public var waiters: [Waiter] { report.waiters }
  public var escapes: [Escape] { report.escapes }
  /// The choices so far. Replaying them repeats the same simulation.
  public var schedule: [Int] { report.schedule }
}

extension EventLoop {
  /// The current state. Call it only between runs, or as the holder of the baton.
  func summary(withSchedule: Bool = true) -> SimulatedRuntime.Report {
    SimulatedRuntime.Report(
      waiters: waiting.map(\.waiter), missingPermits: missingPermits, escapes: escapes,
      schedule: withSchedule ? choices.schedule : [],
      pendingTimers: timers.count, unstartedPoolJobs: ready.pool.count,
      unstartedMainJobs: ready.main.count, unstartedJobs: unstartedJobs, permitHolds: permitHolds,
      workers: workers.count, endOfTurnActions: actionCount,
      endOfTurnActionsBeside: actionCount - endOfTurnActions.count,
      unfinishedAsynchronousBodies: asynchronousBodies.isEmpty
        ? [] : asynchronousBodies.keys.sorted(),
      unfinishedTasks: taskLog?.unfinished ?? [])
  }

  private var unstartedJobs: [SimulatedRuntime.UnstartedJob] {
    if ready.main.isEmpty, ready.pool.isEmpty, ready.sides.isEmpty { return [] }
    let onMain = ready.main.indices.prefix(1_000).compactMap { index in
      ready.main[index].element.span.map { SimulatedRuntime.UnstartedJob(span: $0, needs: .main) }
    }
    let onPool = ready.pool.indices.prefix(1_000).compactMap { index in
      let queue = ready.pool[index].element.queue
      return ready.pool[index].element.span.map {
        SimulatedRuntime.UnstartedJob(span: $0, needs: .worker, queue: queue)
      }
    }
    let onSides = ready.sides.flatMap { side in
      side.jobs.indices.prefix(1_000).compactMap { index in
        side.jobs[index].element.span.map {
          SimulatedRuntime.UnstartedJob(
            span: $0, needs: .runLoop(Lane(number: side.lane)), queue: side.label)
        }
      }
    }
    return onMain + onPool + onSides
  }

  /// The taken permits of each semaphore that a thread waits for, in the order of the waiting threads.
  private var permitHolds: [SimulatedRuntime.PermitHold] {
    if waiting.isEmpty { return [] }
    var seen: Set<Int> = []
    return waiting.flatMap { thread in
      seen.insert(thread.waiter.semaphore).inserted ? thread.semaphore?.holds ?? [] : []
    }
  }
}

extension ReadyQueues.PoolEntry {
  /// The label of the serial scheduler that the entry stands for; nil if it stands for anything else.
  fileprivate var queue: String? {
    switch self {
    case .strand(let strand): strand.label
    default: nil
    }
  }
}

extension Lane {
  /// The name of a simulation's lane, for people.
  var text: String { self == .main ? "main" : "worker \(number)" }
}
