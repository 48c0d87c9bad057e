import ArgumentParser
import Measuring

/// Usage: run-loop [--check] [--program PATH]
///
/// Measures the cost of a transaction. A commit is compared with an insertion into a set behind a lock. The time from a
/// commit on one thread to the flush on another is compared with a bare wake-up of the run loop. It needs no program.
@main struct RunLoopSuite {
  static func main() throws {
    let arguments = SuiteArguments.parseOrExit()
    var isMissed = false
    for section in [Commits.measure, Crossings.measure, Flushes.measure] {
      for ranking in try section() {
        print(ranking)
        isMissed = isMissed || ranking.isMissed
      }
    }
    arguments.exit(isMissed: isMissed)
  }
}
