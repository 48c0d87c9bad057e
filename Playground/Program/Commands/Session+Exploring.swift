import AsyncPatterns
import AsyncSimulation
import Composing
import SystemSteps

extension Session {
  /// The words of the session, with steps that print nothing: an exploration runs its steps many times.
  var silentVocabulary: Vocabulary {
    var silent = Vocabulary(
      steps: StepKind.kernel + StepKind.system(print: { _ in }) + [lastStep, .swift])
    silent.elsewhere = vocabulary.elsewhere
    silent.swift = vocabulary.swift
    return silent.replacingPatterns(Array(library.patterns.values))
  }

  /// Explores a plan, and shows the result.
  func explore(_ plan: ExplorationPlan) async {
    let account = await search(plan)
    lastExploration = account.report
    note(account)
    let replay = account.report.violation.flatMap { ReplayText($0.schedule, of: plan.composed) }
    let text = ExplorationText(
      exploration: plan.exploration, onlyProperty: plan.check.onlyProperty, account: account,
      style: style)
    console.say(text.summary)
    let run = await self.run(of: account.report.violation, in: plan, account)
    console.record(
      ExploreRecord(
        name: plan.composed.name, account: account, replay: replay?.text, lints: run?.record.lints
      ).json)
    guard var violation = account.report.violation else { return }
    if violation.moments.isEmpty, let run { violation.moments = run.moments }
    console.say(text.text(of: violation))
    let lints = run.map { lintLines(of: $0.record) } ?? []
    if !lints.isEmpty { console.say("\n" + lints.joined()) }
    say(replay?.command, run)
  }

  /// The run under the violating schedule, if there is one and the exploration has stopped. After a crash there is no
  /// such run, since the code would crash again.
  private func run(
    of violation: Violation?, in plan: ExplorationPlan, _ account: ExplorationExecution.Account
  ) async -> FinishedRun? {
    guard let violation, !account.isLeftBehind else { return nil }
    return number(await execute(plan.run(under: violation.schedule), evenIfInterrupted: true))
  }

  /// - Parameter command: the command that repeats the run; nil if it is too long for a line of a script.
  private func say(_ command: String?, _ run: FinishedRun?) {
    let draws = run.map { "“show\($0.number.map { " \($0)" } ?? "")” draws this run" }
    let again =
      switch (draws, command) {
      case (nil, nil): "The script that runs it again is too long to paste."
      case (nil, _?): "This runs it again:"
      case (let draws?, nil): draws + "; the script that runs it again is too long to paste."
      case (let draws?, _?): draws + "; this runs it again:"
      }
    console.say("\n" + style.wrapped("  " + again))
    guard let command else { return }
    // Printed unchanged in every locale, because the command must be readable as a script.
    console.say(verbatim: command)
  }

  private func search(_ plan: ExplorationPlan) async -> ExplorationExecution.Account {
    let execution = ExplorationExecution(plan)
    interruption.begin(execution)
    let progress = showProgress(ofSchedules: plan.exploration.schedules) { execution.schedules }
    let account = await execution.finished()
    progress.stop()
    interruption.end()
    return account
  }

  /// Shows how many schedules have been tried.
  func showProgress(
    ofSchedules total: Int, _ count: @escaping @MainActor () -> Int
  ) -> ProgressLine {
    ProgressLine(on: console, style, cancelledBy: interruption) { time in
      let done = count()
      guard done < total else { return "\(done) schedules; simplifying the one with the violation" }
      let rate = "\(Int(Double(done) / (time / .seconds(1)))) per second"
      return "\(done) of \(total) schedules, \(rate), "
        + DoneShare(done: done, total: total).text(after: time)
    }
  }

  private func note(_ account: ExplorationExecution.Account) {
    let report = account.report
    if case .timeLimit? = account.stop { status.add(.unfinished) }
    if report.violations > 0 {
      note(.violated, of: .exploration)
    } else if report.ending == .tooManyBlocked {
      // No violation was found, but not all schedules were tried.
      status.add(.unfinished)
    }
  }

  /// Runs a plan under its schedule, and shows what happened.
  func replay(_ plan: RunPlan) async {
    await runAndShow(plan)
    guard let run = lastRun else { return }
    let events = ScheduleText(moments: run.moments)
    let lines = events.lines(style) + (events.legend.map { ["  " + $0] } ?? [])
    console.say("\n" + lines.joined(separator: "\n"))
  }
}
