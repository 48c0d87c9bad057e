public import AsyncPatterns

/// A search for a schedule under which something goes wrong.
///
/// What could happen in any order is a choice of the simulation; an exploration runs the same thing
/// again and again with other choices, and checks each time whether a property holds. The first schedule
/// that violates it is made as simple as it gets, told event by event, and can be replayed.
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
/// The same exploration of the same thing gives the same report, unless its code escapes the runtime.
public struct Exploration: Sendable, Codable {
  /// How schedules are chosen.
  public enum Strategy: Sendable, Hashable, Codable {
    /// Every candidate is as likely as any other, at every choice.
    case random
    /// Random priorities that change at a few random places: finds a bug that takes `depth` orderings
    /// with a probability of at least 1 / (*n* · *k*^(*depth* − 1)), for *n* chains of jobs and *k* choices.
    ///
    /// Burckhardt, Kothari, Musuvathi and Nagarakatte: A randomized scheduler with probabilistic
    /// guarantees of finding bugs (2010), doi:10.1145/1735970.1736040.
    case pct(depth: Int)
    /// One after another, all that there are, with at most `deviations` choices that are not first in,
    /// first out; nil for any number.
    ///
    /// Emmi, Qadeer and Rakamarić: Delay-bounded scheduling (2011), doi:10.1145/1926385.1926432.
    case depthFirst(deviations: Int?)
  }

  /// How many schedules are tried, at most.
  public var schedules: Int
  public var strategy: Strategy
  /// How many workers the pool has.
  public var workers: Int
  /// Decides which schedules are tried.
  public var seed: UInt64
  /// What is put into the runs, each time at another place. Steps only.
  public var injection: Injection?
  /// How many events a schedule may take before it counts as one that goes on for ever.
  public var eventLimit: Int
  /// How much real time to wait, with nothing else to do, for asynchronous code that may have left the
  /// runtime; a fiftieth of it once ten schedules in a row have shown that nothing does.
  public var patience: Duration
  /// Whether properties are told everything that happened; it costs time.
  public var isRecording: Bool
  /// Whether properties are told which steps were asked to start: see ``Trial/starts``.
  public var isWatchingStarts: Bool
  /// Whether each schedule gets random numbers of its own, instead of the same ones: what relies on them then shows.
  package var hasOwnRandomNumbers = false

  public init(
    schedules: Int = 1_000, strategy: Strategy = .random, workers: Int = 4, seed: UInt64 = 0,
    injection: Injection? = nil, eventLimit: Int = 100_000,
    patience: Duration = .milliseconds(100), isRecording: Bool = false,
    isWatchingStarts: Bool = false
  ) {
    self.schedules = schedules
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
  /// - Parameter property: what does not hold of a trial, if something does not; called on a thread of
  ///   the simulation's.
  /// - Returns: once all schedules have been tried; the calling thread waits.
  public func explore(
    _ step: Step, input: Value = .none,
    checking property: @escaping @Sendable (Trial) -> Finding? = { $0.sound() }
  ) -> ExplorationReport {
    wait { start(step, input: input, checking: property, then: $0) }
  }

  /// Explores code of any kind that takes a runtime.
  ///
  /// That nobody waits for a permit for ever is checked, too.
  ///
  /// - Parameter scenario: starts what is to be explored, on the runtime it gets; what it returns is
  ///   called when nothing is left to do, and says what is wrong, if something is. It is called anew for
  ///   each schedule, so it makes anew what it works on.
  /// - Returns: once all schedules have been tried; the calling thread waits.
  public func explore(
    _ scenario: @escaping @Sendable (SimulatedRuntime) -> @Sendable () -> String?
  ) -> ExplorationReport {
    wait { explore(ScenarioSubject(scenario), then: $0) }
  }

  /// Begins to explore a step, and returns at once.
  ///
  /// - Parameters:
  ///   - property: what does not hold of a trial, if something does not; called on a thread of the
  ///     simulation's.
  ///   - onEnd: called once, on a thread of the simulation's.
  /// - Returns: what calls it off, and tells how far it is.
  @discardableResult
  public func start(
    _ step: Step, input: Value = .none,
    checking property: @escaping @Sendable (Trial) -> Finding? = { $0.sound() },
    then onEnd: @escaping @Sendable (ExplorationReport) -> Void
  ) -> OngoingExploration {
    explore(StepSubject(step, input: input, checking: property), then: onEnd)
  }

  /// Runs a step under one schedule, and writes down what happens.
  ///
  /// - Returns: what became of it; the calling thread waits.
  public func replay(_ schedule: Schedule, of step: Step, input: Value = .none) -> Replay {
    wait { startReplay(schedule, of: step, input: input, then: $0) }
  }

  /// Begins to run a step under one schedule, and returns at once.
  ///
  /// - Parameter onEnd: called once, on a thread of the simulation's.
  /// - Returns: what calls it off.
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
      onEnd(
        Replay(
          trial: trial.withLock { $0 }, finding: planner.finding, moments: planner.moments))
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
