import ArgumentParser
import Measuring

@main struct RunLoopSuite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run-loop",
    abstract: "Measures the cost of a transaction.",
    discussion: """
      A commit is compared with an insertion into a set behind a lock. The time from a commit on one thread to the \
      flush on another is compared with a bare wake-up of the run loop.
      """)

  @OptionGroup var arguments: SuiteArguments

  func run() throws {
    try arguments.report { report in
      for section in [Commits.measure, Crossings.measure, Flushes.measure] {
        report.show(try section())
      }
    }
  }
}
