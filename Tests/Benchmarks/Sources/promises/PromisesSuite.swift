import Foundation
import Measuring

/// Usage: promises [--check] [--program PATH] [--alone KIND]
///
/// Measures the cost of promises, in the shapes that google/promises and Bluebird measure. It compares them with the
/// futures of SwiftNIO and OpenCombine, tasks, and Dispatch. It needs no program.
///
/// `--alone` runs one kind of work of our promises again and again, for a profiler: then-1, then-3, concurrent,
/// pending, resolved, all or doxbee.
@main struct PromisesSuite {
  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    var isChecking = false
    let peers = Peers()
    while let argument = arguments.popFirst() {
      switch argument {
      case "--check": isChecking = true
      case "--program": _ = arguments.popFirst()
      case "--alone": return runAlone(arguments.popFirst() ?? "", peers)
      default:
        fail(
          "unknown argument “\(argument)”; promises takes --check, --program PATH and --alone KIND")
      }
    }
    var isMissed = false
    for section in [
      Chains.measure, Concurrent.measure, Maps.measure, Gathering.measure, Doxbee.measure,
    ] {
      for ranking in try section(peers) {
        show(ranking)
        isMissed = isMissed || ranking.isMissed
      }
    }
    for figure in try LinkAllocations.measure(peers) {
      show(figure)
      isMissed = isMissed || figure.isMissed
    }
    exit(isChecking && isMissed ? 1 : 0)
  }

  private static func runAlone(_ kind: String, _ peers: Peers) {
    for _ in 0..<100 {
      switch kind {
      case "then-1": Chains.runAlone(peers, links: 1)
      case "then-3": Chains.runAlone(peers, links: 3)
      case "concurrent": Concurrent.runAlone()
      case "pending": Maps.pending(on: .inline)
      case "resolved": Maps.resolved(on: .inline)
      case "all": _ = Gathering.all()
      case "doxbee": Doxbee.runAlone(peers)
      default:
        fail("--alone takes then-1, then-3, concurrent, pending, resolved, all or doxbee")
      }
    }
  }

  /// Prints a figure as soon as it is available, even to a file.
  private static func show(_ figure: some CustomStringConvertible) {
    FileHandle.standardOutput.write(Data("\(figure)\n".utf8))
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
  }
}
