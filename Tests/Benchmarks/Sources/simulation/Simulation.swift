import Foundation
import Measuring

/// Usage: simulation [--check] [--program PATH]
///
/// What the virtual clock costs: events of a simulation, and schedules of an exploration, in this process and, with the
/// program, in others.
@main struct SimulationSuite {
  static func main() async throws {
    var arguments = CommandLine.arguments.dropFirst()
    var isChecking = false
    var program: String?
    while let argument = arguments.popFirst() {
      switch argument {
      case "--check": isChecking = true
      case "--program": program = arguments.popFirst()
      default:
        fail("simulation does not know “\(argument)”; it knows --check and --program PATH")
      }
    }
    let plain = try await PlainSwift.measure(program: program)
    let figures = try plain + Events.measure() + Schedules.measure()
    for figure in figures { print(figure) }
    print(try Schedules.measureMemory())
    print(await PlainSwift.measureMemory())
    exit(isChecking && figures.contains(where: \.isMissed) ? 1 : 0)
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
  }
}
