import AsyncPatterns
import AsyncSimulation
import Composing
import SystemSteps

extension Session {
  /// The same words as the session's, with steps that show nothing: what is explored runs again and
  /// again.
  var silentVocabulary: Vocabulary {
    var silent = Vocabulary(steps: StepKind.kernel + StepKind.system(print: { _ in }))
    silent.elsewhere = vocabulary.elsewhere
    return silent.replacingPatterns(Array(library.patterns.values))
  }

  /// Explores a plan, and says what came of it.
  func explore(_ plan: ExplorationPlan) async {
    let account = await search(plan)
    lastExploration = account.report
    note(account)
    let replay = account.report.violation.flatMap { ReplayText($0.schedule, of: plan.composed) }
    let told = ExplorationText(
      exploration: plan.exploration, onlyProperty: plan.check.onlyProperty, account: account,
      style: style)
    console.say(told.summary)
    let run = await self.run(of: account.report.violation, in: plan, account)
    console.record(
      ExploreRecord(
        name: plan.composed.name, account: account, replay: replay?.text, lints: run?.record.lints
      ).json)
    guard var violation = account.report.violation, let run else { return }
    if violation.moments.isEmpty { violation.moments = run.moments }
    console.say(told.text(of: violation))
    let lints = lintLines(of: run)
    if !lints.isEmpty { console.say("\n" + lints.joined()) }
    say(replay?.command, run)
  }

  /// The run under the schedule of a violation, if there is one and nothing of the exploration goes on.
  private func run(
    of violation: Violation?, in plan: ExplorationPlan, _ account: ExplorationExecution.Account
  ) async -> FinishedRun? {
    guard let violation, !account.isLeftBehind else { return nil }
    return number(await execute(plan.run(under: violation.schedule), evenIfInterrupted: true))
  }

  /// - Parameter command: nil if it is longer than a line may be.
  private func say(_ command: String?, _ run: FinishedRun) {
    let draws = "  “show \(run.number)” draws this run"
    guard let command else {
      let sentence = draws + "; the script that runs it again is too long to be pasted."
      return console.say("\n" + Prose.wrap(sentence, to: style.textWidth, hanging: 2))
    }
    console.say("\n" + Prose.wrap(draws + "; this runs it again:", to: style.textWidth, hanging: 2))
    // As it is, whatever the locale: it is to be read again.
    console.say(verbatim: command)
  }

  private func search(_ plan: ExplorationPlan) async -> ExplorationExecution.Account {
    let execution = ExplorationExecution(plan)
    interruption.begin(execution)
    let progress =
      isInteractive
      ? ExplorationProgress(of: plan.exploration.schedules, on: console) { execution.schedules }
      : nil
    let account = await execution.finished()
    progress?.stop()
    interruption.end()
    return account
  }

  private func note(_ account: ExplorationExecution.Account) {
    let report = account.report
    if case .timeLimit? = account.stop { status.add(.unfinished) }
    if report.violations > 0 {
      note(.violated, of: .exploration)
    } else if report.ending == .tooManyParked {
      // Nothing was found, in what was tried; that is not to be taken for all.
      status.add(.unfinished)
    }
  }

  /// Runs a plan under its schedule, and tells what happened.
  func replay(_ plan: RunPlan) async {
    await runAndShow(plan)
    guard let run = lastRun else { return }
    let telling = Telling(moments: run.moments)
    let lines = telling.lines(style) + (telling.legend.map { ["  " + $0] } ?? [])
    console.say("\n" + lines.joined(separator: "\n"))
  }
}
