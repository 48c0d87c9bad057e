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

    public var description: String {
      let lane = lane == .main ? "main" : "worker \(lane.number)"
      let since = Instant.zero.duration(to: since).shortDescription
      return "\(lane) has waited for semaphore \(semaphore) since \(since)"
    }
  }

  /// Work came from a thread that is not the simulation's while it ran, so when it came depends on the
  /// machine: a `Task {}`, a Dispatch queue, `Task.sleep`.
  public struct Escape: Hashable, Sendable {
    public var time: Instant
    /// How many pieces of work came together.
    public var count: Int
    /// The steps whose asynchronous code was unfinished: it came from one of them, if from a step.
    public var suspects: [Span]
  }

  /// How things stand since the last run ended.
  public struct Report: Sendable {
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
    /// What is still to be done at the end of each turn of the main lane.
    public var endOfTurnActions = 0
    /// The steps whose asynchronous code has not returned.
    public var unfinishedAsynchronousBodies: [Span] = []
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
      unstartedMainJobs: ready.main.count, endOfTurnActions: endOfTurnActions.count,
      unfinishedAsynchronousBodies: asynchronousBodies.isEmpty
        ? [] : asynchronousBodies.keys.sorted())
  }
}
