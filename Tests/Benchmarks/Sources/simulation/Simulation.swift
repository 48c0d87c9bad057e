import Foundation
import Measuring

/// Usage: simulation [--check] [--program PATH]
///
/// What the virtual clock costs: events of a simulation, and schedules of an exploration. It needs no
/// program.
@main struct SimulationSuite {
  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    var isChecking = false
    while let argument = arguments.popFirst() {
      switch argument {
      case "--check": isChecking = true
      case "--program": _ = arguments.popFirst()
      default:
        fail("simulation does not know “\(argument)”; it knows --check and --program PATH")
      }
    }
    let figures = try Events.measure() + Schedules.measure()
    for figure in figures { print(figure) }
    print(try Schedules.measureMemory())
    exit(isChecking && figures.contains(where: \.isMissed) ? 1 : 0)
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
  }
}
