import Hops
import SwiftTasks

/// Usage: hops-simulated COUNT [simulate]
@main struct Main {
  // Linked, its executors are those of the process. They have more to look at once there was a simulation.
  static func main() async {
    if CommandLine.arguments.contains("simulate") {
      let simulation = TaskSimulation()
      TaskSimulation.leave(to: simulation.enter())
    }
    await Hops.run()
  }
}
