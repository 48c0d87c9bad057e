#if PEER_TASKFLOW
  import TaskflowGraphs

  /// Graphs of Taskflow, which have the same shapes and the same work.
  final class TaskflowPeer {
    static let name = "Taskflow"

    nonisolated(unsafe) private static let executor = taskflow_make_executor(2)

    private let graph: OpaquePointer
    private let number: UnsafeMutablePointer<Int>

    /// - Parameter before: the dependencies, as `Self.before` gives them.
    init(_ before: [Int32]) {
      let number = UnsafeMutablePointer<Int>.allocate(capacity: 1)
      number.initialize(to: 0)
      graph = before.withUnsafeBufferPointer {
        taskflow_build($0.count / 2, $0.baseAddress!, number)
      }
      self.number = number
    }

    deinit {
      taskflow_free(graph)
      number.deallocate()
    }

    /// The two predecessors of each operation, or -1.
    static func before(_ shape: Shape) -> [Int32] {
      (0..<shape.count).flatMap { index in
        let (one, other) = shape.before(index)
        return [Int32(one), Int32(other)]
      }
    }

    /// Builds graphs, starts each as soon as it is built, waits for all of them, and frees them.
    static func buildAndRun(_ before: [Int32], times: Int) {
      let graphs = (0..<times).map { _ in
        let graph = TaskflowPeer(before)
        taskflow_start(executor, graph.graph)
        return graph
      }
      withExtendedLifetime(graphs) { taskflow_wait(executor) }
    }

    /// Runs graphs at the same time, and waits for all of them.
    static func run(_ graphs: [TaskflowPeer]) {
      for graph in graphs { taskflow_start(executor, graph.graph) }
      taskflow_wait(executor)
    }
  }
#endif
