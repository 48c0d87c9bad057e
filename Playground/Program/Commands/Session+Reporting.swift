import Foundation
import Pictures
import SystemSteps
import TimingTrace

/// What is made of runs for people to look at.
extension Session {
  /// Writes a page with all runs of the session, and the comparisons that were made in it.
  func report(to path: String) {
    do {
      console.say(
        try Report(
          runs: log.comparedRuns + runs.map(\.saved), comparisons: log.comparisons
        ).save(to: path))
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
