import Foundation
import Measuring

/// Usage: run-loop [--check] [--program PATH]
///
/// What a transaction costs: to commit it, beside putting something into a set behind a lock; and from a
/// commit on one thread to the flush on another, beside a bare wake-up of the run loop. It needs no program.
@main struct RunLoopSuite {
  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    var isChecking = false
    while let argument = arguments.popFirst() {
      switch argument {
      case "--check": isChecking = true
      case "--program": _ = arguments.popFirst()
      default:
        FileHandle.standardError.write(
          Data("run-loop does not know “\(argument)”; it knows --check and --program PATH\n".utf8))
        exit(2)
      }
    }
    var isMissed = false
    for section in [Commits.measure, Crossings.measure, Flushes.measure] {
      for ranking in try section() {
        print(ranking)
        isMissed = isMissed || ranking.isMissed
      }
    }
    exit(isChecking && isMissed ? 1 : 0)
  }
}
