import Hops
import SwiftTasks

@main struct Main {
  // Linked, and never used: its executors are the process's all the same.
  static func main() async { await Hops.run() }
}
