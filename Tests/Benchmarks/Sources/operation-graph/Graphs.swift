import Dispatch
import OperationGraph

/// The graphs that are measured.
enum Graphs {
  static let name = "OperationGraph"

  static let runtime = LiveRuntime(workers: 2)

  static func build(_ shape: Shape, _ work: Work) -> OperationGraph {
    var graph = OperationGraph()
    add(shape, work, to: &graph)
    return graph
  }

  private static func add(_ shape: Shape, _ work: Work, to graph: inout OperationGraph) {
    var operations: [OperationGraph.Operation<Void>] = []
    operations.reserveCapacity(shape.count)
    for index in 0..<shape.count {
      let (one, other) = shape.before(index)
      switch (one >= 0, other >= 0) {
      case (true, true):
        operations.append(
          graph.add(after: operations[one], operations[other]) { work.run() })
      case (true, false): operations.append(graph.add(after: operations[one]) { work.run() })
      case (false, true): operations.append(graph.add(after: operations[other]) { work.run() })
      case (false, false): operations.append(graph.add { work.run() })
      }
    }
  }

  /// The same graph of tasks that end when they call a handler, which they do immediately.
  static func buildWithHandlers(_ shape: Shape, _ work: Work) -> OperationGraph {
    var graph = OperationGraph()
    var operations: [OperationGraph.Operation<Void>] = []
    for index in 0..<shape.count {
      let (one, other) = shape.before(index)
      let before = [one, other].filter { $0 >= 0 }.map { operations[$0] }
      operations.append(
        graph.addWithCompletion(after: before) { done in
          work.run()
          done()
        })
    }
    return graph
  }

  /// Builds graphs, starts each as soon as it is built, and waits until all have been freed.
  static func buildAndRun(_ shape: Shape, _ work: Work, times: Int) {
    let end = DispatchGroup()
    for _ in 0..<times {
      var graph = OperationGraph()
      let sentinel = Sentinel(end)
      graph.add { withExtendedLifetime(sentinel) {} }
      add(shape, work, to: &graph)
      start(graph, end)
    }
    end.wait()
  }

  /// A task of a graph holds this object, so it is freed together with that graph.
  private final class Sentinel: Sendable {
    private let end: DispatchGroup

    init(_ end: DispatchGroup) {
      self.end = end
      end.enter()
    }

    deinit { end.leave() }
  }

  /// Runs the graph several times at the same time, and waits for all runs.
  static func run(
    _ graph: OperationGraph, times: Int = 1, width: Int = .max, on placement: Placement = .pool
  ) {
    let end = DispatchGroup()
    for _ in 0..<times { start(graph, width: width, on: placement, end) }
    end.wait()
  }

  private static func start(
    _ graph: OperationGraph, width: Int = .max, on placement: Placement = .pool,
    _ end: DispatchGroup
  ) {
    end.enter()
    graph.start(width: width, on: placement, runtime: runtime) { result in
      if case .failure(let error) = result { fatalError("\(error)") }
      end.leave()
    }
  }
}
