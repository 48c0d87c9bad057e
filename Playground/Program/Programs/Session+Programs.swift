import AgentMessages
import AsyncPatterns
import AsyncSimulation
import SystemSteps
import TimingTrace

extension Session {
  /// `playground explore -- ./program`: runs a program again and again, each time under a different schedule.
  func explore(program words: [String], includingChildren: Bool) async {
    do {
      let program = try ProgramFile(words, for: "explore")
      let exploration = Exploration(
        schedules: settings.runs ?? 1_000, threads: settings.cores, workers: settings.workers ?? 4,
        seed: settings.seed, patience: .seconds(2))
      var order = AgentOrder(.explore, as: exploration, timeLimit: timeLimitOfProgram)
      order.includesChildren = includingChildren
      let answer = try await run(program, order, shows: exploration.schedules)
      try tell(answer, of: words, exploration)
    } catch {
      fail(error)
    }
  }

  /// How many seconds of real time one run of a program may take.
  private var timeLimitOfProgram: Double { (settings.timeLimit ?? .seconds(10)) / .seconds(1) }

  private func run(
    _ program: ProgramFile, _ order: AgentOrder, shows total: Int?, isDebugged: Bool = false
  ) async throws -> ProgramExploration.Answer {
    let execution = try ProgramExploration(program, order)
    interruption.begin(execution)
    let progress = total.map { showProgress(ofSchedules: $0) { execution.schedules } }
    defer {
      progress?.stop()
      interruption.end()
      endingSignal = execution.endingSignal
    }
    return try await execution.answer(isDebugged: isDebugged)
  }

  private func tell(
    _ answer: ProgramExploration.Answer, of words: [String], _ exploration: Exploration
  ) throws {
    guard !answer.reports.isEmpty else { throw answer.withoutReport(words[0]) }
    let reports = answer.reports.filter { !$0.hasNoTests }
    guard !reports.isEmpty else {
      throw CommandError(
        "there is no test to explore: the filter matches none",
        hint: "“swift test list” shows the names of all tests")
    }
    for report in reports {
      if reports.count > 1, let library = report.library { console.say("\n  \(library.name)") }
      tell(report, of: words, exploration)
    }
    guard let last = reports.last, let schedule = last.exploration?.violation?.schedule else {
      return
    }
    // Another library would replay its own tests first.
    let others = reports.dropLast().compactMap(\.library?.disablingArgument)
    console.say("\n  This runs it again:")
    let command = ["playground", "replay", schedule.description, "--"] + words + others
    console.say(verbatim: command.map(\.asShellWord).joined(separator: " "))
  }

  private func tell(_ report: AgentReport, of words: [String], _ exploration: Exploration) {
    guard let explored = report.exploration else { return }
    let text = ExplorationText(
      exploration: exploration,
      account: ExplorationExecution.Account(
        report: explored, stop: explored.ending == .interrupted ? .cancelled : nil),
      style: style)
    console.say(text.summary)
    for limit in report.limits { console.complain("  \(limit)") }
    console.record(
      ExploreRecord(
        name: FilePath.name(of: words[0]), account: text.account,
        replay: explored.violation?.schedule.description, lints: nil
      ).json)
    if explored.ending == .interrupted { status.add(.interrupted) }
    guard let violation = explored.violation else { return }
    status.add(.violated)
    console.say(text.text(of: violation))
  }

  /// `playground replay "4 workers, 3:1" -- ./program`: runs a program once, under a given schedule.
  func replay(_ text: String, program words: [String], isDebugged: Bool) async {
    do {
      let program = try ProgramFile(words, for: "replay \"SCHEDULE\"")
      guard let schedule = Schedule(text) else {
        throw CommandError(
          "“\(text)” is not a schedule",
          hint: "copy the line that “playground explore” has printed")
      }
      var exploration = Exploration(patience: .seconds(2))
      exploration.workers = schedule.workers
      var order = AgentOrder(.replay(schedule), as: exploration, timeLimit: timeLimitOfProgram)
      order.stops = isDebugged
      let answer = try await run(program, order, shows: nil, isDebugged: isDebugged)
      // The user may have ended the program in the debugger.
      if isDebugged, answer.reports.isEmpty { return }
      tell(answer, of: words)
    } catch {
      fail(error)
    }
  }

  private func tell(_ answer: ProgramExploration.Answer, of words: [String]) {
    guard let report = answer.reports.ofReplay else {
      return fail(answer.withoutReport(words[0]))
    }
    let finding = report.finding ?? answer.ending.finding(output: "")
    if var run = answer.run {
      if let finding { (run.record.outcome, run.record.error) = (.failure, finding.detail) }
      let run = keep(FinishedRun(imported: run))
      console.record(run.record.json)
      show(run)
    }
    let events = ScheduleText(moments: report.narration?.moments ?? [])
    let lines = events.lines(style) + (events.legend.map { ["  " + $0] } ?? [])
    console.say("\n" + lines.joined(separator: "\n"))
    if let misfit = report.narration?.misfit {
      console.say("\n" + style.wrapped("  \(ReplayText.remark(on: misfit))"))
    }
    guard let finding else {
      return console.say("\n  No problem was found.")
    }
    status.add(.violated)
    console.say(
      "\n"
        + style.wrapped("  “\(finding.property)” does not hold: \(finding.detail)"))
  }
}

extension ProgramExploration.Answer {
  var ending: ProcessEnding {
    switch end {
    case .exited(let code): .exited(code)
    case .signalled(let signal): .signalled(signal)
    }
  }

  /// The error for an agent that has sent no report.
  ///
  /// - Parameter step: what would have happened next.
  func withoutReport(
    _ name: String, before step: String = "the simulation could start"
  ) -> CommandError {
    let how =
      switch end {
      case .exited(let code): "exited with \(code)"
      case .signalled(let signal): "was ended by \(ProcessEnding.name(ofSignal: signal))"
      }
    let last = output.split(whereSeparator: \.isNewline).suffix(5).joined(separator: "\n  ")
    return CommandError(
      "“\(name)” \(how) before \(step)",
      hint: last.isEmpty
        ? "it may have been built for another version of Swift, or it starts no test" : last)
  }
}

extension String {
  /// The string, quoted for a shell if necessary.
  fileprivate var asShellWord: String {
    let isPlain =
      !isEmpty
      && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./=:,@%+".contains($0)) }
    return isPlain
      ? self
      : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
        + "'"
  }
}
