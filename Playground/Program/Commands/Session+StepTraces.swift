import PlaygroundLanguage
import TimingTrace

/// `trace show --step` and `trace why`: shows and explains the steps that a path matches.
extension Session {
  /// How many matching steps are drawn or explained, in each run.
  private static let meantSteps = 10
  /// The greatest number of rows of a step that is drawn on request.
  private static let openedRows = 200

  /// Draws each matching step and the steps below it, as a run of its own.
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

  /// Says what the matching steps waited for.
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

  /// - Parameter body: returns how many steps of a run match the path.
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
      (runs.count == 1 ? "the run has no step" : "no run has a step") + " “\(step)”",
      hint: nearest(to: step, among: labels).map { "did you mean “\($0)”?" }
        ?? "“trace show” names the steps")
  }
}
