public import AsyncPatterns

/// A search for a schedule under which something goes wrong.
///
/// Everything that could happen in any order is a choice of the simulation. An exploration runs the same code again and
/// again with different choices, and checks each time whether a property holds. The first schedule that violates the
/// property is made as simple as possible. It is described event by event, and can be replayed.
///
/// ```swift
/// let report = Exploration(schedules: 10_000).explore { runtime in
///   let account = Account(balance: 10, on: runtime)
///   for _ in 1...2 { runtime.pool.schedule { account.withdraw(10) } }
///   return { account.balance < 0 ? "the balance is \(account.balance)" : nil }
/// }
/// #expect(report.violation == nil, "\(report)")
/// ```
///
/// The same exploration of the same code gives the same report, unless the code escapes the runtime.
public struct Exploration: Sendable, Codable {
  /// How schedules are chosen.
  public enum Strategy: Sendable, Hashable, Codable {
    /// At every choice, all candidates are equally likely.
    case random
    /// Random priorities that change at a few random places. They find a bug that needs `depth` orderings with a
    /// probability of at least 1 / (*n* · *k*^(*depth* − 1)). Here *n* is the number of chains of jobs, and *k* the
    /// number of choices.
    ///
    /// Burckhardt, Kothari, Musuvathi and Nagarakatte: A randomized scheduler with probabilistic
    /// guarantees of finding bugs (2010), doi:10.1145/1735970.1736040.
    case pct(depth: Int)
    /// All schedules, one after another, with at most `deviations` choices that are not first in, first out; nil for
    /// any number.
    ///
    /// Emmi, Qadeer and Rakamarić: Delay-bounded scheduling (2011), doi:10.1145/1926385.1926432.
    case depthFirst(deviations: Int?)
  }

  /// The maximum number of schedules to try. An exploration ends earlier once it has tried all that there are.
  public var schedules: Int
  /// Whether to try exactly as many schedules as `schedules` says, even if some are the same. The strategy `depthFirst`
  /// tries none twice, so it may still end earlier.
  public var isExact: Bool
  /// How many schedules may be tried at the same time, each on a thread of its own. The strategy `depthFirst` tries one
  /// at a time. The report is the same with any number.
  ///
  /// With more than one, several runs of the code exist at the same time. Anything that the runs share, such as a
  /// global variable or a file, must be safe for that. This also holds for the state of the main actor.
  public var threads: Int
  public var strategy: Strategy
  /// How many workers the pool has.
  public var workers: Int
  /// Decides which schedules are tried.
  public var seed: UInt64
  /// The kind of injection into the runs, at varying places. Steps support all kinds, and asynchronous code only
  /// ``Injection/cancel``.
  public var injection: Injection?
  /// The maximum number of events of a schedule. A schedule with more events counts as endless.
  public var eventLimit: Int
  /// How much real time a schedule waits for asynchronous code that may have left the runtime. It waits only when
  /// nothing else is left to do. Once ten schedules have waited in vain, and no code has left the runtime so far, the
  /// others wait only a fiftieth of that time.
  public var patience: Duration
  /// Whether properties receive all events. Recording them costs time.
  public var isRecording: Bool
  /// Whether properties receive the steps that were asked to start: see ``Trial/starts``.
  public var isWatchingStarts: Bool
  /// Whether each schedule gets random numbers of its own instead of the same ones. That reveals code whose result
  /// depends on random numbers.
  package var hasOwnRandomNumbers = false

  public init(
    schedules: Int = 1_000, isExact: Bool = false, threads: Int = 1, strategy: Strategy = .random,
    workers: Int = 4, seed: UInt64 = 0,
    injection: Injection? = nil, eventLimit: Int = 100_000,
    patience: Duration = .milliseconds(100), isRecording: Bool = false,
    isWatchingStarts: Bool = false
  ) {
    self.schedules = schedules
    self.isExact = isExact
    self.threads = threads
    self.strategy = strategy
    self.workers = workers
    self.seed = seed
    self.injection = injection
    self.eventLimit = eventLimit
    self.patience = patience
    self.isRecording = isRecording
    self.isWatchingStarts = isWatchingStarts
  }

  /// Explores a step.
  ///
  /// - Parameter property: returns what does not hold for a trial, or nil. It is called on a thread of the simulation.
  /// - Returns: the report, once all schedules have been tried. The calling thread is blocked until then.
  public func explore(
    _ step: Step, input: Value = .none,
    checking property: @escaping @Sendable (Trial) -> Finding? = { $0.sound() }
  ) -> ExplorationReport {
    wait { start(step, input: input, checking: property, then: $0) }
  }

  /// Explores any code that takes a runtime.
  ///
  /// It also checks that no thread waits for a permit forever.
  ///
  /// - Parameter scenario: starts the code to explore, on the runtime that it receives. The closure that it returns is
  ///   called when nothing is left to do, and returns what is wrong, or nil. The scenario is called again for each
  ///   schedule, so it must create the objects that it works on.
  /// - Returns: the report, once all schedules have been tried. The calling thread is blocked until then.
  public func explore(
    _ scenario: @escaping @Sendable (SimulatedRuntime) -> @Sendable () -> String?
  ) -> ExplorationReport {
    wait { explore(ScenarioSubject(scenario), then: $0) }
  }

  /// Starts to explore a step, and returns immediately.
  ///
  /// - Parameters:
  ///   - property: returns what does not hold for a trial, or nil. It is called on a thread of the simulation.
  ///   - onEnd: called once, on a thread of the simulation.
  /// - Returns: the exploration in progress, which can be cancelled and shows how many schedules it has tried.
  @discardableResult
  public func start(
    _ step: Step, input: Value = .none,
    checking property: @escaping @Sendable (Trial) -> Finding? = { $0.sound() },
    then onEnd: @escaping @Sendable (ExplorationReport) -> Void
  ) -> OngoingExploration {
    explore(StepSubject(step, input: input, checking: property), then: onEnd)
  }

  /// Runs a step under one schedule, and records what happens.
  ///
  /// - Returns: what happened. The calling thread is blocked until the run has ended.
  public func replay(_ schedule: Schedule, of step: Step, input: Value = .none) -> Replay {
    wait { startReplay(schedule, of: step, input: input, then: $0) }
  }

  /// Starts to run a step under one schedule, and returns immediately.
  ///
  /// - Parameter onEnd: called once, on a thread of the simulation.
  /// - Returns: the run in progress, which can be cancelled.
  @discardableResult
  public func startReplay(
    _ schedule: Schedule, of step: Step, input: Value = .none,
    then onEnd: @escaping @Sendable (Replay) -> Void
  ) -> OngoingExploration {
    var exploration = self
    exploration.workers = schedule.workers
    let trial = Locked<Trial?>(nil)
    let subject = StepSubject(step, input: input) { became in
      trial.withLock { $0 = became }
      return nil
    }
    let driver = TrialDriver(SingleTrial(schedule), of: subject, as: exploration) { planner in
      onEnd(planner.replay(trial.withLock { $0 }))
    }
    return driver.start()
  }

  private func explore(
    _ subject: any Subject, then onEnd: @escaping @Sendable (ExplorationReport) -> Void
  ) -> OngoingExploration {
    TrialDriver(SearchProgress(self), of: subject, as: self) { onEnd($0.report) }.start()
  }

  private func wait<Result: Sendable>(
    _ start: (@escaping @Sendable (Result) -> Void) -> OngoingExploration
  ) -> Result {
    let gate = Gate()
    let result = Locked<Result?>(nil)
    _ = start { ended in
      result.withLock { $0 = ended }
      gate.open()
    }
    gate.wait()
    return result.withLock { $0! }
  }
}
