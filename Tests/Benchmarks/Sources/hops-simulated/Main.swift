import Hops
import SwiftTasks

/// Usage: hops-simulated COUNT [simulate]
@main struct Main {
  // Linking the package installs its executors for the process. They have more checks to do after the first simulation.
  static func main() async {
    if CommandLine.arguments.contains("simulate") {
      let simulation = TaskSimulation()
      TaskSimulation.leave(to: simulation.enter())
    }
    await Hops.run()
  }
}
