import PlaygroundLanguage
import TimingTrace

/// `trace show --step` and `trace why`: what became of the steps that a path means.
extension Session {
  /// How many steps of a path are drawn or told about, of each run.
  private static let meantSteps = 10
  /// How many rows there are for what somebody asked to see.
  private static let openedRows = 200

  /// Draws steps and what is below them, as runs of their own.
  func open(_ step: String, in runs: [SavedRun]) throws {
    try forEachMeaning(step, in: runs) { run in
      let parts = run.record.opened(at: step)
      for part in parts.prefix(Self.meantSteps) {
        console.record(part.json)
        console.say(Timeline(part, isOpened: true).render(style, height: Self.openedRows))
      }
      return parts.count
    }
  }

  /// Says what steps were waiting for.
  func explain(_ step: String?, in runs: [SavedRun]) throws {
    guard let step else {
      throw CommandError("“trace why” needs a step", hint: "trace why FILE STEP")
    }
    try forEachMeaning(step, in: runs) { run in
      let accounts = StepAccount.accounts(of: step, in: run)
      for account in accounts.prefix(Self.meantSteps) {
        console.record(account.json)
        let text = StepAccountText(account: account, style: style).text
        console.say((runs.count > 1 ? "\(run.name): " : "") + text)
      }
      if run.record.causesAreInferred, !accounts.isEmpty { console.say(RunRecord.inferredCauses) }
      return accounts.count
    }
  }

  /// - Parameter body: returns how many steps of a run the path means.
  private func forEachMeaning(
    _ step: String, in runs: [SavedRun], _ body: (SavedRun) -> Int
  ) throws {
    var total = 0
    for run in runs {
      let count = body(run)
      total += count
      let left = count - Self.meantSteps
      if left > 0 { console.say("  … and \(left) more called “\(step)”") }
    }
    guard total == 0 else { return }
    let labels = runs.flatMap { $0.record.steps.map(\.label) }
    throw CommandError(
      "\(runs.count == 1 ? "the run has" : "no run has a") \(runs.count == 1 ? "no step" : "step") “\(step)”",
      hint: nearest(to: step, among: labels).map { "did you mean “\($0)”?" })
  }
}
