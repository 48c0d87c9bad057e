import AsyncPatterns
import Composing
import TimingTrace

extension Session {
  /// Runs a plan as often as the settings say, and shows the last run.
  func runAndShow(_ plan: RunPlan) async {
    let times = plan.settings.runs ?? 1
    var last: FinishedRun?
    for _ in 0..<times {
      let run = await run(plan)
      last = run
      console.record(run.record.json)
      note(run)
      guard run.record.outcome == .success else { break }
    }
    guard let last else { return }
    showEnded(last)
    await checkDeterminism(of: last)
  }

  /// Runs a plan in the background.
  func runInBackground(_ plan: RunPlan) {
    let begun = begin(plan, inBackground: true)
    let job = BackgroundRun(number: begun.number ?? 0, execution: begun.execution)
    jobs.append(job)
    console.say("[\(job.number)] \(job.name)")
    job.task = Task {
      var finished = await job.execution.finished()
      finished.ticket = begun.ticket
      finished.number = job.number
      let run = keep(finished)
      job.run = run
      interruption.ended(job.execution)
      console.record(run.record.json)
      console.say("[\(job.number)] \(run.record.outcome.rawValue)")
      showEnded(run)
      await checkDeterminism(of: run, inBackground: true)
    }
  }

  /// Counts the ends of background runs for the exit code. The next expectation may expect that of the last one.
  private func count(_ awaited: [BackgroundRun]) {
    for job in awaited where !job.isCounted {
      job.isCounted = true
      let reason: ExitStatus.Reason
      switch job.run?.record.outcome {
      case .success, .cancelled, nil: continue
      case .failure: reason = .failed
      case .unfinished: reason = .unfinished
      }
      if job === awaited.last { note(reason, of: .run) } else { status.add(reason) }
    }
  }

  /// Waits for the background runs with these numbers, or for all.
  func wait(for numbers: [Int]) async {
    do {
      let awaited = try jobs(numbered: numbers)
      interruption.wait(for: awaited.filter { $0.run == nil }.map(\.execution))
      for job in awaited { await job.task?.value }
      if let run = awaited.last?.run { lastRun = run }
      count(awaited)
      interruption.wait(for: [])
    } catch {
      fail(error)
    }
  }

  /// Cancels the background runs with these numbers, or all that still run.
  func cancel(jobs numbers: [Int]) {
    do {
      for job in try jobs(numbered: numbers) where job.run == nil { job.execution.cancel() }
    } catch {
      fail(error)
    }
  }

  private func jobs(numbered numbers: [Int]) throws -> [BackgroundRun] {
    guard !numbers.isEmpty else { return jobs }
    return try numbers.map { number in
      guard let job = jobs.first(where: { $0.number == number }) else {
        throw CommandError("there is no background run \(number)", hint: "“jobs” lists them")
      }
      return job
    }
  }

  func showJobs() {
    if jobs.isEmpty { return console.say("No background runs. EXPRESSION & starts one.") }
    for job in jobs {
      let state = job.run?.record.outcome.rawValue ?? "running"
      console.say("[\(job.number)] \(state)  \(job.name)")
    }
  }

  // MARK: - Looking at runs

  func showRuns() {
    let listed = runs.compactMap { run in run.number.map { (number: $0, run: run) } }
    let left = runs.count - listed.count
    if runs.isEmpty { return console.say("Nothing has been run yet.") }
    let table = TextTable(
      columns: ["run", "outcome", "makespan", "name"],
      rows: listed.map { number, run in
        [
          "\(number)", run.record.outcome.rawValue,
          run.record.makespan.durationText, run.name,
        ]
      })
    if !listed.isEmpty { console.say(style.shortened(table.text)) }
    if left > 0 {
      console.say(
        sentence(
          "\(left.of("run")) of comparisons \(left == 1 ? "is" : "are") not listed: “trace save” saves "
            + "\(left == 1 ? "it" : "them") too; after “set list-compared on” they get numbers."))
    }
    sayRemoved()
  }

  /// Says which runs are not kept, if any.
  func sayRemoved() {
    let removed = log.removed
    guard removed > 0 else { return }
    console.say(
      sentence(
        "\(removed == 1 ? "Run 1 is" : "Runs 1 to \(removed) are") no longer kept: a session keeps at most its "
          + "last \(SessionLog.mostRuns) runs, with \(SessionLog.mostEvents / 1_000_000) million events. With "
          + "--save FILE or --report FILE it keeps all."))
  }

  /// Draws the run of that number again, or the last one.
  func show(_ number: Int?) {
    do {
      if let run = try self.run(numbered: number) { show(run) }
    } catch {
      fail(error)
    }
  }

  /// The run of that number, or the last one if it is nil.
  func run(numbered number: Int?) throws -> FinishedRun? {
    guard let number else {
      if shownRun == nil { throw CommandError("nothing has been run yet") }
      return shownRun
    }
    guard let run = log.run(number) else {
      if let job = jobs.first(where: { $0.number == number && $0.run == nil }) {
        throw CommandError(
          "run \(number), “\(job.name)”, still runs in the background",
          hint: "“wait \(number)” waits for it; “trace show --follow” draws it while it runs")
      }
      let numbers = runs.compactMap(\.number)
      throw CommandError(
        "there is no run \(number)",
        hint: numbers.isEmpty
          ? "nothing has been run yet" : "“runs” lists them: \(numbers[0]) to \(numbers.last ?? 0)")
    }
    return run
  }

  /// Shows a run that has just ended, unless it is a successful “print”. The cost of recording is left out; only “show”
  /// states it.
  private func showEnded(_ run: FinishedRun) {
    var shown = run
    shown.record.overhead = nil
    if run.plan?.composed.pattern != "print" || run.record.outcome != .success { show(shown) }
  }

  func show(_ run: FinishedRun) {
    let hint = "“show\(run.number.map { " \($0)" } ?? "") all” gives each step a row"
    console.say(text(of: run, Timeline(run.drawnRecord, hint: hint), height: 40))
    showPictures(of: run)
    let value = run.record.value
    if value.pictures.isEmpty, let text = ValueText(value: value, style: style).text {
      console.say(text)
    }
  }

  /// Shows a run with a row for each step. A long text is shown in a pager.
  func showAll(_ number: Int?) async {
    do {
      guard let run = try self.run(numbered: number) else { return }
      await page(text(of: run, Timeline(run.drawnRecord, isOpened: true), height: .max))
    } catch {
      fail(error)
    }
  }

  private func text(of run: FinishedRun, _ timeline: Timeline, height: Int) -> String {
    let lines = [timeline.render(style, height: height)] + run.remarks.map(sentence)
    return (lines + lintLines(of: run.record)).joined()
  }

  /// The findings in a run, each with its number in the timeline, as lines that each end with a newline.
  func lintLines(of record: RunRecord) -> [String] {
    let lints = record.lints
    var lines = zip(1..., lints.prefix(Timeline.mostFindings)).map { number, lint in
      let sign = Timeline.sign(ofFinding: number, style.characters)
      return style.wrapped("\(sign) \(lint.text)") + "\n"
    }
    let left = lints.count - lines.count
    if left > 0 { lines.append("  … and \(left.of("finding")) more\n") }
    if let more = HelpText.more(about: lints) { lines.append(sentence(more)) }
    return lines
  }

  private func sentence(_ text: String) -> String {
    style.wrapped("  " + text) + "\n"
  }

  /// Runs the plan of a run again, if the settings say so, and compares the two records byte by byte. If they differ,
  /// the script ends.
  func checkDeterminism(of run: FinishedRun, inBackground: Bool = false) async {
    guard let plan = run.plan, plan.settings.checkDeterminism, run.record.outcome != .cancelled
    else { return }
    guard run.record.clock == .virtual else {
      return console.say(
        "  not compared with a second run: on the live clock no two runs are alike")
    }
    let again = inBackground ? await start(plan).finished() : await execute(plan)
    if again.record.outcome == .cancelled, status.wasInterrupted { return }
    guard run.record.json != again.record.json else {
      let hasEscaped = run.record.lints.contains { $0.rule == "clock-escape" }
      return console.say(
        hasEscaped
          ? "  a second run gave the same trace, but work left the runtime: the next run may differ"
          : "  deterministic: a second run gave the same trace")
    }
    let difference = StructuralDifference.first(between: run.record, and: again.record)
    console.report(
      "two runs of “\(run.name)” differ"
        + (difference.map { " \($0.place): \($0)" } ?? " in their traces"))
    status.add(.violated)
    stop()
  }
}
