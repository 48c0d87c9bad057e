import Foundation
import PlaygroundLanguage
import TimingTrace

/// `trace` at the prompt and on the command line: the session's runs, or those of a file.
extension Session {
  /// Writes all runs so far to a file.
  func save(to path: String) {
    do {
      try SavedRuns(runs: runs.map(\.saved)).write(to: FilePath.resolve(path))
      console.say("saved \(runs.count.of("run")) to \(path)")
    } catch {
      fail(error)
    }
  }

  /// Carries out what somebody asked of a file of runs on the command line; `-` is standard input, and a pipe is read as
  /// that is.
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

  /// Carries out what somebody asked of the runs of a file, or of those of the session if there is no file: of the
  /// last, unless one is named.
  func trace(_ request: TraceRequest, file: String?) {
    do {
      guard let file else {
        if let written = request.run {
          return try trace(request, runs.map(\.saved).chosen(written, in: "the session"))
        }
        guard let run = try run(numbered: nil) else { return }
        return try trace(request, [run.saved])
      }
      let path = FilePath.resolve(file)
      try keepSource(file, from: request.output)
      try trace(
        request, try SavedRuns.read(path), of: "“\(file)”", at: FilePath.modificationDate(of: path))
    } catch {
      fail(error)
    }
  }

  private func trace(
    _ request: TraceRequest, _ saved: SavedRuns, of place: String, at date: Date = Date()
  ) throws {
    if let torn = saved.tornEnd(of: place) { console.complain(torn) }
    try saved.requireRuns(in: place)
    let runs = try request.run.map { try saved.runs.chosen($0, in: place) } ?? saved.runs
    try trace(request, runs, at: date)
  }

  /// What is read is not written over: nothing else may hold those runs.
  private func keepSource(_ file: String, from output: String?) throws {
    guard let output, FilePath.isSameFile(FilePath.resolve(file), FilePath.resolve(output)) else {
      return
    }
    throw CommandError(
      "“\(output)” is the file that is read, and would be lost", hint: "name another file to write")
  }

  /// Carries out a request on runs.
  ///
  /// - Parameter date: when they were made, as far as that is known; formats want to have a time of day.
  private func trace(_ request: TraceRequest, _ runs: [SavedRun], at date: Date = Date()) throws {
    switch request.action {
    case .show:
      if let step = request.step { return try open(step, in: runs) }
      for run in runs {
        console.record(run.record.json)
        if request.showsLanes {
          showLanes(of: run)
        } else {
          console.say(Timeline(run.record).render(style))
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
      try export(runs, format: request.format, to: request.output, at: date)
    case .save, .import:
      throw CommandError("“trace \(request.action.rawValue)” is not part of this version")
    }
  }

  // MARK: - Lanes

  /// Draws the lanes of a run: the one of that number, or the last.
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

  // MARK: - One step

  /// How many steps of a path are drawn or told about, of each run.
  private static let meantSteps = 10
  /// How many rows there are for what somebody asked to see.
  private static let openedRows = 200

  /// Draws steps and what is below them, as runs of their own.
  private func open(_ step: String, in runs: [SavedRun]) throws {
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
  private func explain(_ step: String?, in runs: [SavedRun]) throws {
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

  private func lint(_ runs: [SavedRun]) {
    var count = 0
    for run in runs {
      console.record(run.record.json)
      for lint in run.record.lints {
        count += 1
        console.say("\(run.name): \(lint.rule), \(lint.place): \(lint.message)")
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

  private func export(
    _ runs: [SavedRun], format: ExportFormat?, to output: String?, at date: Date
  ) throws {
    let output = output == "-" ? nil : output
    let chosen = try format ?? output.map { try ExportFormat(destination: $0) } ?? .text(.chrome)
    guard case .text(let format) = chosen else {
      return try exportPicture(of: runs, to: output)
    }
    // Formats with a time of day count from 1970; beyond any year that a file has.
    let start = Int64(exactly: (date.timeIntervalSince1970 * 1e6).rounded()).map { $0 * 1000 } ?? 0
    if let output {
      try format.write(runs, startingAt: start, toFile: FilePath.resolve(output))
      return console.say("exported \(runs.count.of("run")) to \(output)")
    }
    guard console.isJSON else { return console.print(format.text(of: runs, startingAt: start)) }
    guard format.isJSON else {
      throw CommandError(
        "with --json standard output holds JSON, and \(format.rawValue) is none",
        hint: "name a file for it: --output FILE")
    }
    // One document, one line, where somebody reads JSON Lines.
    console.print(format.text(of: runs, startingAt: start).replacing("\n", with: ""))
  }

  // MARK: - Importing

  /// Reads another program's trace; its runs are runs of the session from then on.
  func importRuns(of file: String, to output: String? = nil) {
    do {
      try keepSource(file, from: output)
      try importRuns(try ChromeImport.read(FilePath.resolve(file)), of: file, to: output)
    } catch {
      fail(error)
    }
  }

  /// Writes the runs of another program's trace to a file, or shows them.
  private func importRuns(
    _ imported: ChromeImport, of file: String, to output: String?
  ) throws {
    if imported.isTruncated {
      console.complain("“\(file)” ends in the middle; what is whole before that was read")
    }
    for remark in imported.remarks { console.complain(remark) }
    let first = runs.count + 1
    for run in imported.runs {
      let kept = keep(FinishedRun(imported: run))
      console.record(run.record.json)
      if output == nil, !isInteractive || imported.runs.count == 1 { show(kept) }
    }
    let count = imported.runs.count
    if let output {
      try SavedRuns(runs: imported.runs).write(to: FilePath.resolve(output))
      console.say("imported \(count.of("run")) of \(file) to \(output)")
    } else {
      let numbers = count == 1 ? "run \(first)" : "runs \(first) to \(first + count - 1)"
      console.say("imported \(file) as \(numbers)")
    }
  }
}

extension FilePath {
  /// When a file was last written; now, if nobody knows.
  fileprivate static func modificationDate(of path: String) -> Date {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.modificationDate] as? Date ?? Date()
  }
}

extension Int {
  /// So many of something: “1 run”, “2 runs”.
  func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
