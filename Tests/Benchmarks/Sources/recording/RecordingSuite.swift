import ArgumentParser
import Measuring

@main struct RecordingSuite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recording",
    abstract: "Measures the cost of recording a program that knows nothing of it.",
    discussion: "Each program runs with and without a recording, in turn.")

  @OptionGroup var arguments: SuiteArguments

  func run() throws {
    let program = try arguments.neededProgram
    try arguments.report { try $0.show(RecordedPrograms(playground: program).measure()) }
  }
}
