import Foundation
import Measuring

/// Usage: trace [--check] [--program PATH]
///
/// The program is not needed.
@main struct TraceSuite {
  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    var isChecking = false
    while let argument = arguments.popFirst() {
      switch argument {
      case "--check": isChecking = true
      case "--program": _ = arguments.popFirst()
      default: fail("trace does not know “\(argument)”; it knows --check and --program PATH")
      }
    }
    // First, while nothing has been freed that could be used again.
    let memory = Million.measureMemory()
    var isMissed = memory.isMissed
    for figure in try Recording.measure() + Million.measure() {
      print(figure)
      isMissed = isMissed || figure.isMissed
    }
    print(memory)
    exit(isChecking && isMissed ? 1 : 0)
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
  }
}
