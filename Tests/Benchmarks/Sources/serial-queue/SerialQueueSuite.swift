import Foundation
import Measuring

/// Usage: serial-queue [--check] [--program PATH] [--alone one-producer|four-producers|asynchronous]
///
/// Measures the cost of a serial queue. It is compared with the alternatives: a Dispatch queue, an operation queue, an
/// event loop of SwiftNIO, an actor, and a stream or a channel that one task consumes. It needs no program.
///
/// Three packages for the same purpose, mattmassicotte/Queue, dfed/swift-async-queue and groue/AsyncQueues, cannot be
/// resolved in the build environment, so they are not dependencies. The suite has their basic techniques instead: a
/// stream that one task consumes, and tasks that await each other.
///
/// `--alone` runs one kind of burst of our queue a hundred times, for a profiler.
@main struct SerialQueueSuite {
  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    var isChecking = false
    while let argument = arguments.popFirst() {
      switch argument {
      case "--check": isChecking = true
      case "--program": _ = arguments.popFirst()
      case "--idle":
        // The program starts itself with this argument.
        guard let kind = arguments.popFirst().flatMap(IdleQueues.Kind.init) else {
          fail("--idle takes one of \(IdleQueues.Kind.allCases.map(\.rawValue))")
        }
        return print(IdleQueues.bytes(of: kind))
      case "--alone":
        let kind = arguments.popFirst() ?? ""
        for _ in 0..<100 {
          switch kind {
          case "one-producer": Bursts.runAlone(producers: 1)
          case "four-producers": Bursts.runAlone(producers: 4)
          case "asynchronous": AsynchronousWork.runAlone()
          default: fail("--alone takes one-producer, four-producers or asynchronous")
          }
        }
        return
      default:
        fail("unknown argument “\(argument)”; serial-queue takes --check and --program PATH")
      }
    }
    var isMissed = false
    for section in [Bursts.measure, AsynchronousWork.measure, RoundTrips.measure] {
      for ranking in try section() {
        print(ranking)
        isMissed = isMissed || ranking.isMissed
      }
    }
    let memory = try IdleQueues.measure()
    print(memory)
    print(
      "not measured, because SwiftPM cannot resolve them here: mattmassicotte/Queue, "
        + "dfed/swift-async-queue, groue/AsyncQueues")
    exit(isChecking && (isMissed || memory.isMissed) ? 1 : 0)
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
  }
}
