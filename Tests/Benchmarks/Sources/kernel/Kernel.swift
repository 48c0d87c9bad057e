import ArgumentParser
import Measuring

extension Sequences.Alone: ExpressibleByArgument {}

@main struct Kernel: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures the cost of steps, of starting the program and of loading plugins.",
    discussion: "Without a program, the measurements that need it are skipped.")

  @OptionGroup var arguments: SuiteArguments
  @Option(help: "Run only this sequence, a hundred times, for a profiler.")
  var alone: Sequences.Alone?

  func run() throws {
    if let alone { return try Sequences.runAlone(alone) }
    try arguments.report { report in
      func show(_ measure: () throws -> [Figure]) {
        do { report.show(try measure()) } catch { report.fail(error) }
      }
      show(Sequences.measure)
      guard let path = arguments.program else { return }
      let program = try Program(path: path)
      defer { program.remove() }
      show(program.measureStart)
      show(program.measureFirstStart)
      show(program.measureLongRun)
      show(program.measureSourcePlugins)
    }
  }
}
