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

  /// Carries out one of `show`, `lint`, `analyse`, `export` on saved runs, or `import` on somebody's trace.
  func trace(_ action: String, file: String, format: String?, to output: String?) {
    do {
      guard let action = TraceSubcommand(rawValue: action) else {
        let known = ["show", "lint", "analyse", "export", "import"]
        throw CommandError(
          "there is no “trace \(action)”",
          hint: nearest(to: action, among: known).map { "did you mean “\($0)”?" }
            ?? "there are \(known.joined(separator: ", "))")
      }
      let format = try format.map { written in
        guard let known = ExportFormat(named: written) else {
          throw CommandError(
            "there is no format “\(written)”", hint: ExportFormat.hint(for: written))
        }
        return known
      }
      if action == .import { return try importRuns(of: file, to: output) }
      guard output == nil || action == .export else {
        throw CommandError("“trace \(action.rawValue)” writes no file")
      }
      let saved = try SavedRuns.read(FilePath.resolve(file))
      if saved.isTruncated {
        console.complain("“\(file)” ends in the middle of a run, left out here")
      }
      try trace(
        action, saved.runs, format: format, to: output,
        at: FilePath.modificationDate(of: FilePath.resolve(file)))
    } catch {
      fail(error)
    }
  }

  /// Carries out a subcommand on runs.
  ///
  /// - Parameter date: when they were made, as far as that is known; formats want to have a time of day.
  func trace(
    _ action: TraceSubcommand, _ runs: [SavedRun], format: ExportFormat?, to output: String?,
    at date: Date = Date()
  ) throws {
    switch action {
    case .show:
      for run in runs {
        console.record(run.record.json)
        console.say(Timeline(run.record).render(style))
      }
    case .lint: lint(runs)
    case .analyse:
      for run in runs {
        console.record(run.record.json)
        console.say(run.name + "\n" + StepTable(record: run.record).text)
      }
    case .export: try export(runs, format: format, to: output, at: date)
    case .save, .import:
      throw CommandError("“trace \(action.rawValue)” is not part of this version")
    }
  }

  private func lint(_ runs: [SavedRun]) {
    var count = 0
    for run in runs {
      console.record(run.record.json)
      for lint in run.record.lints {
        count += 1
        console.say("\(run.name): \(lint.rule), \(lint.step): \(lint.message)")
      }
    }
    if count > 0 { status.add(.violated) }
    console.say("\(count.of("finding")) in \(runs.count.of("run"))")
  }

  private func export(
    _ runs: [SavedRun], format: ExportFormat?, to output: String?, at date: Date
  ) throws {
    let chosen = format ?? output.flatMap { ExportFormat(fileName: $0) } ?? .text(.chrome)
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
  func importRuns(of file: String) {
    do {
      try importRuns(of: file, to: nil)
    } catch {
      fail(error)
    }
  }

  /// Reads another program's trace, and writes its runs to a file, or shows them.
  private func importRuns(of file: String, to output: String?) throws {
    let imported = try ChromeImport.read(FilePath.resolve(file))
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
