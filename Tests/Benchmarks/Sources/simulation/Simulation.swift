import ArgumentParser
import Measuring

/// Usage: simulation [--check] [--program PATH]
///
/// Measures the cost of the virtual clock: events of a simulation, and schedules of an exploration. Schedules run in
/// this process and, with the program, in other processes.
@main struct SimulationSuite {
  static func main() async throws {
    let arguments = SuiteArguments.parseOrExit()
    let plain = try await PlainSwift.measure(program: arguments.program)
    let figures = try plain + Events.measure() + Schedules.measure()
    for figure in figures { print(figure) }
    print(try Schedules.measureMemory())
    print(await PlainSwift.measureMemory())
    arguments.exit(isMissed: figures.contains(where: \.isMissed))
  }
}
