import Foundation
import Pictures
import SystemSteps
import TimingTrace

/// What is made of runs for people to look at.
extension Session {
  /// Writes a page with all runs of the session, and the comparisons that were made in it.
  func report(to path: String) {
    do {
      let report = Report(runs: comparedRuns + runs.map(\.saved), comparisons: comparisons)
      let count = report.runs.count { !$0.isWarmUp }
      guard count > 0 else {
        throw CommandError("there is no run yet to be reported")
      }
      try report.write(toFile: FilePath.resolve(path))
      let compared = comparisons.isEmpty ? "" : " and \(comparisons.count.of("comparison"))"
      console.say("reported \(count.of("run"))\(compared) to \(path)")
    } catch {
      fail(error)
    }
  }

  /// Writes the timelines of runs as a picture in pixels.
  func exportPicture(of runs: [SavedRun], to output: String?) throws {
    guard let output else {
      throw CommandError(
        "a picture is no text to print", hint: "name a file for it: --output FILE.png")
    }
    try File(FilePath.resolve(output)).replace(with: TimelinePicture(of: runs).png())
    console.say("exported \(runs.count.of("run")) to \(output)")
  }
}
