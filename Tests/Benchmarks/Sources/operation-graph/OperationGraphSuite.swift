import Foundation
import Measuring

/// Usage: operation-graph [--check] [--program PATH] [--size SIZE] [--limited] [--alone KIND SHAPE SIZE]
///
/// Measures the cost of the tasks of a graph. It compares them with OperationQueue, task groups, Dispatch, and a
/// minimal implementation. It needs no program.
///
/// `--size` measures only graphs of that size: 1024, 16384 or 262144.
/// `--limited` measures only runs of a limited width and runs on the calling thread.
/// `--alone` runs one kind of work twenty times, for a profiler: build, floor, inline or threads, of chain, tree,
/// wavefront or fan-out.
@main struct OperationGraphSuite {
  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    var isChecking = false
    var isLimited = false
    var size: Int?
    while let argument = arguments.popFirst() {
      switch argument {
      case "--check": isChecking = true
      case "--program": _ = arguments.popFirst()
      case "--size":
        size = arguments.popFirst().flatMap { Int($0) }
        if size == nil { fail("--size takes a number of tasks: 1024, 16384 or 262144") }
      case "--limited": isLimited = true
      case "--alone": return runAlone(arguments)
      default:
        fail(
          "unknown argument “\(argument)”; operation-graph takes --check, --program PATH, --size SIZE, "
            + "--limited and --alone KIND SHAPE SIZE")
      }
    }
    if isLimited { return try LimitedRuns.measure { show($0) } }
    var isMissed = false
    try TasksOfGraphs.measure(only: size) { ranking in
      show(ranking)
      isMissed = isMissed || ranking.isMissed
    }
    if size == nil { try LimitedRuns.measure { show($0) } }
    for figure in size == nil ? TaskMemory.measure() : [] {
      show(figure)
      isMissed = isMissed || figure.isMissed
    }
    exit(isChecking && isMissed ? 1 : 0)
  }

  private static func runAlone(_ arguments: ArraySlice<String>) {
    let kinds = ["build", "floor", "inline", "threads"]
    let shapes = [
      "chain": Shape.chain, "tree": Shape.tree, "wavefront": Shape.wavefront,
      "fan-out": Shape.fanOut,
    ]
    let words = Array(arguments)
    guard words.count == 3, kinds.contains(words[0]), let shape = shapes[words[1]],
      let size = Int(words[2]), size > 0
    else {
      fail(
        "--alone takes \(kinds.joined(separator: ", ")); \(shapes.keys.sorted().joined(separator: ", ")); "
          + "and a number of tasks")
    }
    for _ in 0..<20 { TasksOfGraphs.runAlone(words[0], shape(size)) }
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
