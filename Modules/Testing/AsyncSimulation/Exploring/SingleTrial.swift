/// Runs one trial, and narrates it.
struct SingleTrial: TrialPlanner {
  private var schedule: Schedule?
  private(set) var moments: [Moment] = []
  private(set) var finding: Finding?
  private(set) var triedCount = 0
  var takesSeveral: Bool { false }

  init(_ schedule: Schedule) { self.schedule = schedule }

  mutating func next() -> NextPlan<TrialRun.Plan> {
    defer { schedule = nil }
    return schedule.map { .plan(TrialRun.Plan($0, narrates: true)) } ?? .finished
  }

  mutating func learn(_ outcome: TrialRun.Outcome) {
    moments = outcome.narration?.moments ?? []
    finding = outcome.finding
    triedCount = 1
  }

  mutating func interrupt() { schedule = nil }
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
