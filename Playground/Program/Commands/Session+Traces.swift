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

  /// Carries out one of `show`, `lint`, `analyse`, `export` on saved runs.
  func trace(_ action: String, file: String, format: String?, to output: String?) {
    do {
      guard let action = TraceSubcommand(rawValue: action) else {
        let known = ["show", "lint", "analyse", "export"]
        throw CommandError(
          "there is no “trace \(action)”",
          hint: nearest(to: action, among: known).map { "did you mean “\($0)”?" }
            ?? "there are \(known.joined(separator: ", "))")
      }
      let saved = try SavedRuns.read(FilePath.resolve(file))
      if saved.isTruncated {
        console.complain("“\(file)” ends in the middle of a run, left out here")
      }
      try trace(action, saved.runs, format: format, to: output)
    } catch {
      fail(error)
    }
  }

  /// Carries out a subcommand on runs.
  func trace(
    _ action: TraceSubcommand, _ runs: [SavedRun], format: String?, to output: String?
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
    case .export: try export(runs, format: format, to: output)
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

  private func export(_ runs: [SavedRun], format: String?, to output: String?) throws {
    guard format ?? "chrome" == "chrome" else {
      throw CommandError("there is no format “\(format ?? "")”", hint: "there is chrome")
    }
    let json = ChromeTrace.json(runs.map { (record: $0.record, events: $0.events) })
    guard let output else {
      // One document, one line, where somebody reads JSON Lines.
      return console.print(console.isJSON ? json.replacing("\n", with: "") : json)
    }
    try Data(json.utf8).write(to: URL(filePath: FilePath.resolve(output)), options: .atomic)
    console.say("exported \(runs.count.of("run")) to \(output)")
  }
}

extension Int {
  /// So many of something: “1 run”, “2 runs”.
  fileprivate func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
