import Allocations
import Measuring
import OperationGraph

/// The memory of a task of a graph, and its number of allocations.
enum TaskMemory {
  static func measure() -> [Figure] {
    Shape.kinds.map { $0(16_384) }.flatMap { shape in
      [bytes(shape, "\(shape.name) of \(shape.count)"), allocations(shape)]
    } + [bytes(.tree(1_048_576), "binary tree of a million")]
  }

  /// The memory in use while the graph runs, beyond the memory in use before it was built.
  private static func bytes(_ shape: Shape, _ name: String) -> Figure {
    let work = Work()
    let most = Most()
    let before = Most.bytesInUse
    do {
      var graph = Graphs.build(shape, work)
      // `last` depends on an operation that is added after it, so the graph is complete when `last` runs.
      let last = graph.add { most.look() }
      graph.addDependency(of: last, on: graph.add {})
      Graphs.run(graph)
    }
    return Figure(
      "\(name): a task, built and while it runs",
      .number(Double(most.bytes - before) / Double(shape.count), of: "bytes"),
      target: .amount(.number(128, of: "bytes")))
  }

  private static func allocations(_ shape: Shape) -> Figure {
    let work = Work()
    func live() {
      let graph = Graphs.build(shape, work)
      graph.start(on: .inline) { _ in }
    }
    live()
    let before = allocation_count()
    live()
    return Figure(
      "\(shape.name) of \(shape.count): a task built, run and freed",
      .number(Double(allocation_count() - before) / Double(shape.count), of: "allocations"),
      target: .amount(.number(0.1, of: "allocations")))
  }
}

/// The maximum of the memory in use.
private final class Most: @unchecked Sendable {
  // Safe to share: only one operation measures, and its run ends before the value is read.
  private(set) var bytes = 0

  func look() { bytes = max(bytes, Self.bytesInUse) }

  static var bytesInUse: Int { Int(bytes_in_use()) }
}
