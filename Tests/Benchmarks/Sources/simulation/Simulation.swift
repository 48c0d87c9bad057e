import Foundation
import Measuring
import Simulation

/// What the virtual clock costs: events of a simulation, and schedules of an exploration.
@main
struct SimulationSuite {
  static func main() throws {
    let arguments = CommandLine.arguments
    var figures = try Events.figures()
    figures += try Schedules.figures()
    for figure in figures { print(figure) }
    if arguments.contains("--check"), figures.contains(where: \.isMissed) { exit(1) }
  }
}
