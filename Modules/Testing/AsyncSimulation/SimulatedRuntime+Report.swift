import AsyncPatterns

extension SimulatedRuntime {
  /// Who stands parked, for want of a permit.
  public struct Waiter: Hashable, Sendable, CustomStringConvertible {
    public var lane: Lane
    /// On whose behalf; `.none` without a trace.
    public var span: Span
    public var since: Instant
    /// What it waits for: the simulation's semaphores, numbered from 1.
    public var semaphore = 0
    /// What the semaphore stands for, if it is a part of something else.
    public var name: String?
    /// Whether it is a thread that is not the simulation's, and so holds none of its lanes.
    public var isOutside = false
    /// Tells its job from others.
    var job: UInt32 = 0

    public var description: String {
      let lane = isOutside ? "another thread" : lane.text
      let since = Instant.zero.duration(to: since).shortDescription
      return "\(lane) has waited for \(name ?? "semaphore \(semaphore)") since \(since)"
    }
  }

  /// Who has taken a permit of a semaphore and not given it back.
  ///
  /// Kept for semaphores that began with 1 to 16 permits, and reported while somebody waits for one.
  public struct PermitHold: Hashable, Sendable {
    public var semaphore: Int
    /// Where it was taken.
    public var lane: Lane
    /// On whose behalf; `.none` without a trace.
    public var span: Span
    public var since: Instant
    /// Tells the job that took it from others.
    var job: UInt32 = 0
  }

  /// A job that is ready and has not started: at the end of a run that went as far as it could, since
  /// the lane it needs is held.
  public struct UnstartedJob: Hashable, Sendable {
    /// On whose behalf; `.none` without a trace.
    public var span: Span
    public var needs: Need
    /// The label of the serial scheduler it is to run on, if it is one.
    public var queue: String?

    public enum Need: Sendable, Hashable {
      case main, worker
      /// That lane: of a run loop beside the main one.
      case runLoop(Lane)
    }
  }

  /// Work came from a thread that is not the simulation's while it ran, so when it came depends on the
  /// machine: from a Dispatch queue, a thread or a socket.
  public struct Escape: Hashable, Sendable {
    public var time: Instant
    /// How many pieces of work came together.
    public var count: Int
    /// The tasks that it resumed and the steps that it came from, where the trace knows them. Else the steps whose
    /// asynchronous code was unfinished: it came from one of them, if from a step.
    public var suspects: [Span]
  }

  /// How things stand since the last run ended.
  public struct Report: Sendable {
    /// Who stands parked for want of a permit, in the order they came. Each but those outside holds its
    /// lane meanwhile.
    public var waiters: [Waiter] = []
    /// How many permits semaphores have fewer than they began with: Dispatch would crash the program if
    /// such a one were let go of.
    public var missingPermits = 0
    public var escapes: [Escape] = []
    /// The choices so far. Replayed, they make the same simulation again.
    public var schedule: [Int] = []
    public var pendingTimers = 0
    /// Jobs that are ready and found no free worker, or a run that ended before their turn.
    public var unstartedPoolJobs = 0
    public var unstartedMainJobs = 0
    /// Those jobs, in the order in which they became ready, those of main first; the first thousand of
    /// each.
    public var unstartedJobs: [UnstartedJob] = []
    /// Who has the permits that somebody waits for.
    public var permitHolds: [PermitHold] = []
    /// How many workers the pool has.
    public var workers = 0
    /// What is still to be done at the end of each turn of the main lane, and of other run loops.
    public var endOfTurnActions = 0
    /// How many of those are other run loops'.
    var endOfTurnActionsBeside = 0
    /// The steps whose asynchronous code has not returned.
    public var unfinishedAsynchronousBodies: [Span] = []
    /// The tasks of Swift that have not completed; known only with a trace.
    public var unfinishedTasks: [UnfinishedTask] = []
  }

  /// How things stand since the last run ended.
  public var report: Report { loop.report.withLock { $0 } }

  /// Who stood parked for want of a permit when the last run ended, in the order they came.
  public var waiters: [Waiter] { report.waiters }
  public var escapes: [Escape] { report.escapes }
  /// The choices so far. Replayed, they make the same simulation again.
  public var schedule: [Int] { report.schedule }
}

extension EventLoop {
  /// How things stand. Only between runs, or with the baton.
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
    let onMain = ready.main.prefix(1_000).compactMap { entry in
      entry.element.span.map { SimulatedRuntime.UnstartedJob(span: $0, needs: .main) }
    }
    let onPool = ready.pool.prefix(1_000).compactMap { entry in
      entry.element.span.map {
        SimulatedRuntime.UnstartedJob(span: $0, needs: .worker, queue: entry.element.queue)
      }
    }
    let onSides = ready.sides.flatMap { side in
      side.jobs.prefix(1_000).compactMap { entry in
        entry.element.span.map {
          SimulatedRuntime.UnstartedJob(
            span: $0, needs: .runLoop(Lane(number: side.lane)), queue: side.label)
        }
      }
    }
    return onMain + onPool + onSides
  }

  /// Of each semaphore that somebody waits for, in the order of who waits.
  private var permitHolds: [SimulatedRuntime.PermitHold] {
    if waiting.isEmpty { return [] }
    var seen: Set<Int> = []
    return waiting.flatMap { parked in
      seen.insert(parked.waiter.semaphore).inserted ? parked.semaphore?.holds ?? [] : []
    }
  }
}

extension ReadyQueues.PoolEntry {
  /// The label of the serial scheduler that is ready, if it is one.
  fileprivate var queue: String? {
    if case .strand(let strand) = self { strand.label } else { nil }
  }
}

extension Lane {
  /// The lane of a simulation, as people call it.
  var text: String { self == .main ? "main" : "worker \(number)" }
}
