import ArgumentParser
import Measuring

/// Usage: recording [--check] --program PATH
///
/// Measures the cost of recording a program that knows nothing of it. Each program runs with and without a recording,
/// in rotation.
@main struct RecordingSuite {
  static func main() throws {
    let arguments = SuiteArguments.parseOrExit()
    guard let program = arguments.program else {
      SuiteArguments.exit(withError: ValidationError("recording needs --program PATH"))
    }
    let figures = try RecordedPrograms(playground: program).measure()
    for figure in figures { print(figure) }
    arguments.exit(isMissed: figures.contains(where: \.isMissed))
  }
}
