import Foundation
import PlaygroundLanguage
import TimingTrace

/// `trace` at the prompt and on the command line, for the session's runs or those of a file.
extension Session {
  /// Saves all runs so far to a file.
  func save(to path: String) {
    do {
      console.say(try SavedRuns(runs: runs.map(\.saved)).save(to: path))
      sayRemoved()
    } catch {
      fail(error)
    }
  }

  /// Performs a request from the command line on a file of runs. `-` is standard input. Both standard input and a pipe
  /// are read to their end.
  func trace(_ request: TraceRequest, readingFrom file: String) async {
    let isInput = file == "-"
    let name = isInput ? Self.standardInput : file
    do {
      if let output = request.output, output != "-" { try keepOptionFiles(from: output) }
      guard isInput || FilePath.isPipe(file) else {
        return request.action == .import
          ? importRuns(of: file, to: request.output) : trace(request, file: file)
      }
      let bytes = try await ScriptFile.pipe(file)
      if request.action == .import {
        try importRuns(try ChromeImport(bytes: bytes), of: name, to: request.output)
      } else {
        try trace(request, try SavedRuns(bytes: bytes), of: isInput ? name : "“\(name)”")
      }
    } catch var error as SavedRunsError {
      error.path = error.path ?? name
      fail(error)
    } catch {
      fail(error)
    }
  }

  static let standardInput = "standard input"

  /// Performs a request on the runs of a file, or on those of the session if `file` is nil. In the session, it uses the
  /// last run, unless the request names one.
  func trace(_ request: TraceRequest, file: String?) {
    do {
      guard let file else {
        if let written = request.run {
          let chosen = try chosenRuns(written)
          return try trace(request, SavedRuns(runs: chosen))
        }
        guard let run = try run(numbered: nil) else { return }
        return try trace(request, SavedRuns(runs: [run.saved]))
      }
      let path = FilePath.resolve(file)
      try keepSource(file, from: request.output)
      try trace(
        request, try SavedRuns.read(path), of: "“\(file)”", at: FilePath.modificationDate(of: path))
    } catch {
      fail(error)
    }
  }

  /// The runs of the session that a number, a name or a pattern refers to.
  private func chosenRuns(_ written: String) throws -> [SavedRun] {
    if let run = Int(written).flatMap(log.run) { return [run.saved] }
    return try runs.map(\.saved).chosen(written, in: "the session", numbers: runs.map(\.number))
  }

  private func trace(
    _ request: TraceRequest, _ saved: SavedRuns, of place: String, at date: Date = Date()
  ) throws {
    try check(saved, of: place)
    let runs = try request.run.map { try saved.runs.chosen($0, in: place) } ?? saved.runs
    try trace(request, SavedRuns(machine: saved.machine, runs: runs), at: date)
  }

  /// Throws an error if the output would replace the file that is read, since its runs may exist nowhere else.
  func keepSource(_ file: String, from output: String?) throws {
    guard let output, FilePath.isSameFile(FilePath.resolve(file), FilePath.resolve(output)) else {
      return
    }
    throw CommandError(
      "“\(output)” is the file to read, and would be overwritten",
      hint: "name another file to write")
  }

  /// Performs a request on runs.
  ///
  /// - Parameter date: when the runs were made, if that is known. Some formats need a time of day.
  private func trace(_ request: TraceRequest, _ saved: SavedRuns, at date: Date = Date()) throws {
    let runs = saved.runs
    switch request.action {
    case .show:
      if let step = request.step { return try open(step, in: runs) }
      for run in runs {
        console.record(run.record.json)
        if request.showsLanes {
          showLanes(of: run)
        } else {
          let hint = "“trace show --step LABEL” draws these steps alone"
          let lines = [Timeline(run.record, hint: hint).render(style)] + lintLines(of: run.record)
          console.say(lines.joined())
        }
      }
    case .lint: lint(runs)
    case .analyse:
      for (index, run) in runs.enumerated() {
        let analysis = Analysis(of: run)
        console.record(run.record.json)
        let advice = run.advice
        console.record(analysis.json(run.record.steps, advice: advice))
        let text =
          AnalysisText(record: run.record, analysis: analysis, advice: advice, style: style).text
        console.say(index + 1 < runs.count ? text + "\n" : text)
      }
    case .why: try explain(request.step, in: runs)
    case .export:
      try export(saved, format: request.format, to: request.output, at: date)
    // These two read no saved runs, so no request for them comes here.
    case .save, .import: break
    }
  }

  // MARK: - Lanes

  /// Draws the lanes of the run of that number, or of the last one.
  func showLanes(ofRun number: Int?) {
    do {
      if let run = try run(numbered: number) { showLanes(of: run.saved) }
    } catch {
      fail(error)
    }
  }

  private func showLanes(of run: SavedRun) {
    let lanes = LaneTimeline(run)
    console.record(lanes.json)
    console.say(
      lanes.render(width: style.width, style: style.characters, color: style.color))
  }

  // MARK: - Findings

  private func lint(_ runs: [SavedRun]) {
    var count = 0
    for run in runs {
      console.record(run.record.json)
      for lint in run.record.lints {
        count += 1
        console.say(
          style.wrapped("\(TerminalText.printable(run.name, style: .unicode)): \(lint.text)"))
      }
    }
    if count > 0 { status.add(.violated) }
    let rules = Set(runs.flatMap { $0.record.lints.map(\.rule) })
    for rule in LintRule.all where rules.contains(rule.name) {
      console.say("\n" + HelpText.text(of: rule, width: style.textWidth))
    }
    if count > 0 { console.say("") }
    console.say("\(count.of("finding")) in \(runs.count.of("run"))")
  }
}

extension FilePath {
  /// When a file was last written. The current time, if that is unknown.
  fileprivate static func modificationDate(of path: String) -> Date {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.modificationDate] as? Date ?? Date()
  }
}
