/// Runs one trial, and narrates it.
struct SingleTrial: TrialPlanner {
  private var schedule: Schedule?
  private var narration = Narration()
  private var finding: Finding?
  private(set) var triedCount = 0
  var takesSeveral: Bool { false }

  init(_ schedule: Schedule) { self.schedule = schedule }

  mutating func next() -> NextPlan<TrialRun.Plan> {
    defer { schedule = nil }
    return schedule.map { .plan(TrialRun.Plan($0, narrates: true)) } ?? .finished
  }

  mutating func learn(_ outcome: TrialRun.Outcome) {
    narration = outcome.narration ?? Narration()
    finding = outcome.finding
    triedCount = 1
  }

  mutating func interrupt() { schedule = nil }

  /// The run as a replay.
  ///
  /// - Parameter trial: what happened, if the run was that of a step.
  func replay(_ trial: Trial?) -> Replay {
    Replay(
      trial: trial, finding: finding, moments: narration.moments, misfit: narration.misfit)
  }
}

extension TrialRun.Plan {
  /// A plan that replays a schedule.
  ///
  /// - Parameter narrates: whether to narrate what happens.
  init(_ schedule: Schedule, narrates: Bool) {
    let choices = schedule.choices.map { UInt32(clamping: $0) }
    self.init(
      choices: Choices(.firstInFirstOut, replaying: choices, keepsCounts: narrates),
      point: schedule.injection, narrates: narrates)
  }
}
