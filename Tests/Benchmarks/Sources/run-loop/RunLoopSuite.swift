import ArgumentParser
import Measuring

/// Usage: run-loop [--check] [--program PATH]
///
/// What a transaction costs: to commit it, beside putting something into a set behind a lock; and from a
/// commit on one thread to the flush on another, beside a bare wake-up of the run loop. It needs no program.
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
