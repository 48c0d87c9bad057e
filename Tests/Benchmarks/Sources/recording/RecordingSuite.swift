import Foundation
import Measuring

/// Usage: recording [--check] --program PATH
///
/// What recording costs a program that knows nothing of it: each program runs in turn with and without.
@main struct RecordingSuite {
  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    var isChecking = false
    var program: String?
    while let argument = arguments.popFirst() {
      switch argument {
      case "--check": isChecking = true
      case "--program": program = arguments.popFirst()
      default: fail("recording does not know “\(argument)”; it knows --check and --program PATH")
      }
    }
    guard let program else { fail("recording needs --program PATH, the playground") }
    let figures = try RecordedPrograms(playground: program).measure()
    for figure in figures { print(figure) }
    exit(isChecking && figures.contains(where: \.isMissed) ? 1 : 0)
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
  }
}
