import ArgumentParser
import Measuring

@main struct OperationGraphSuite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "operation-graph",
    abstract: "Measures the cost of the tasks of a graph.",
    discussion: """
      They are compared with OperationQueue, task groups, Dispatch, and a minimal implementation; with \
      `Scripts/bench --peers` also with Taskflow.
      """)

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case build, floor, inline, threads
  }

  enum Form: String, CaseIterable, ExpressibleByArgument {
    case chain, tree, wavefront
    case fanOut = "fan-out"

    func shape(_ count: Int) -> Shape {
      switch self {
      case .chain: .chain(count)
      case .tree: .tree(count)
      case .wavefront: .wavefront(count)
      case .fanOut: .fanOut(count)
      }
    }
  }

  @OptionGroup var arguments: SuiteArguments
  @Option(help: "Measure only graphs of so many tasks: 1024, 16384 or 262144.") var size: Int?
  @Flag(help: "Measure only runs of a limited width and runs on the calling thread.")
  var limited = false
  @Option(help: "Do only this work, twenty times, for a profiler.") var alone: Kind?
  @Option(help: "The form of the graph for --alone; its size is --size, or 16384.") var form = Form
    .tree

  func validate() throws {
    guard let size else { return }
    guard alone == nil ? TasksOfGraphs.sizes.contains(where: { $0.0 == size }) : size > 0 else {
      throw ValidationError(
        alone == nil
          ? "--size is \(size), and no graph has so many tasks; use 1024, 16384 or 262144."
          : "--size is \(size), and a graph needs a task; use a number from 1.")
    }
  }

  func run() throws {
    if let alone {
      for _ in 0..<20 { TasksOfGraphs.runAlone(alone, form.shape(size ?? 16_384)) }
      return
    }
    try arguments.report { report in
      if limited { return try LimitedRuns.measure { report.show($0) } }
      try TasksOfGraphs.measure(only: size) { report.show($0) }
      guard size == nil else { return }
      try LimitedRuns.measure { report.show($0) }
      report.show(TaskMemory.measure())
    }
  }
}
