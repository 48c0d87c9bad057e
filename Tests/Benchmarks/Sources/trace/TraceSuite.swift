import ArgumentParser
import Measuring

@main struct TraceSuite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract:
      "Measures the cost of recording events, and of analysing, saving and exporting a million.")

  @OptionGroup var arguments: SuiteArguments

  func run() throws {
    try arguments.report { report in
      // Memory is measured first, because later measurements would leave free memory that could be reused.
      report.show(Million.measureMemory())
      report.show(try Recording.measure())
      report.show(try Million.measure())
    }
  }
}
