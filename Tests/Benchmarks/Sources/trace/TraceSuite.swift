import ArgumentParser
import Measuring

/// Usage: trace [--check] [--program PATH]
///
/// The program is not needed.
@main struct TraceSuite {
  static func main() throws {
    let arguments = SuiteArguments.parseOrExit()
    // Memory is measured first, because later measurements would leave free memory that could be reused.
    let memory = Million.measureMemory()
    var isMissed = memory.isMissed
    for figure in try Recording.measure() + Million.measure() {
      print(figure)
      isMissed = isMissed || figure.isMissed
    }
    print(memory)
    arguments.exit(isMissed: isMissed)
  }
}
