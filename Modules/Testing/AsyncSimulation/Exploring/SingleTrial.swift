/// Makes one trial, and has it told.
struct SingleTrial: TrialPlanner {
  private var schedule: Schedule?
  private(set) var moments: [Moment] = []
  private(set) var finding: Finding?
  private(set) var triedCount = 0

  init(_ schedule: Schedule) { self.schedule = schedule }

  mutating func next() -> TrialRun.Plan? {
    defer { schedule = nil }
    return schedule.map { TrialRun.Plan($0, narrates: true) }
  }

  mutating func learn(_ outcome: TrialRun.Outcome) {
    moments = outcome.narration?.moments ?? []
    finding = outcome.finding
    triedCount = 1
  }

  mutating func interrupt() { schedule = nil }
}

extension TrialRun.Plan {
  /// Does what a schedule says.
  ///
  /// - Parameter narrates: whether what happens is to be told.
  init(_ schedule: Schedule, narrates: Bool) {
    let choices = schedule.choices.map { UInt32(clamping: $0) }
    self.init(
      choices: Choices(.firstInFirstOut, replaying: choices, keepsCounts: narrates),
      point: schedule.injection, narrates: narrates)
  }
}
