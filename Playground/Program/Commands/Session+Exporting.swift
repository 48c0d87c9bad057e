import Foundation
import Pictures
import PlaygroundLanguage
import SystemSteps
import TimingTrace

/// `trace export`.
extension Session {
  /// Exports runs in a format of other programs, to a file or to standard output.
  func export(
    _ saved: SavedRuns, format: ExportFormat?, to output: String?, at date: Date
  ) throws {
    let (runs, machine) = (saved.runs, saved.machine)
    let output = output == "-" ? nil : output
    let chosen = try format ?? output.map { try ExportFormat(destination: $0) } ?? .text(.chrome)
    guard case .text(let format) = chosen else {
      return try exportPicture(of: runs, to: output)
    }
    // Formats with a time of day count from 1970. A date that does not fit becomes 0.
    let start = Int64(exactly: (date.timeIntervalSince1970 * 1e6).rounded()).map { $0 * 1000 } ?? 0
    if let output {
      if format == .html { try WrittenKind.page.keepOthers(at: output, from: "“trace export”") }
      try format.write(
        runs, startingAt: start, madeOn: machine, toFile: FilePath.resolve(output))
      return console.say("exported \(runs.count.of("run")) to \(output)")
    }
    let text = format.text(of: runs, startingAt: start, madeOn: machine)
    guard console.isJSON else { return console.print(text) }
    guard format.isJSON else {
      throw CommandError(
        "with --json, standard output contains JSON, and \(format.rawValue) is not JSON",
        hint: "name a file: --output FILE")
    }
    // JSON Lines need the whole document on one line.
    console.print(text.replacing("\n", with: ""))
  }

  /// Writes the timelines of runs as a PNG picture.
  private func exportPicture(of runs: [SavedRun], to output: String?) throws {
    guard let output else {
      throw CommandError(
        "a picture cannot be printed as text", hint: "name a file: --output FILE.png")
    }
    try File(FilePath.resolve(output)).replace(with: TimelinePicture(of: runs).png())
    console.say("exported \(runs.count.of("run")) to \(output)")
  }
}
