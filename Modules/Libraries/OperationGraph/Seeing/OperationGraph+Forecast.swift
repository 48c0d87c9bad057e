extension OperationGraph {
  /// What a run would take if operations took as long as this: when each would start and end, the critical
  /// path, and how much later each could end at no cost.
  ///
  /// ```swift
  /// let forecast = try build.forecast(
  ///   code.lasting(.seconds(3)), art.lasting(.seconds(2)), bundle.lasting(.seconds(1)), width: 2)
  /// print(forecast.makespan, forecast[art].slack ?? .zero)
  /// ```
  ///
  /// - Parameters:
  ///   - durations: how long operations take; those that are not named take no time.
  ///   - width: how many are in flight at once.
  ///   - resources: what operations take from while they run, as if it were all free.
  /// - Throws: `OperationCycle`, `ResourceError`, `TriggerError`: what a run would be refused for.
  /// - Precondition: the operations are of this graph.
  /// - Complexity: see ``forecast(width:resources:durations:)``
  public func forecast(
    _ durations: OperationDuration..., width: Int = .max, resources: ResourcePool? = nil
  ) throws -> GraphReport {
    var times: [Int32: Duration] = [:]
    for duration in durations {
      precondition(
        duration.graph == table.graph && duration.operation < table.count,
        "an operation of another graph: take the handle that this graph's add returned")
      times[duration.operation] = duration.duration
    }
    return try forecast(width: width, resources: resources) { times[Int32($0.index)] ?? .zero }
  }

  /// What a run would take if operations took as long as the closure says, such as what was measured:
  /// `build.forecast(width: 4, durations: report.duration(of:))`.
  ///
  /// It is the run itself, without the work: whatever is ready starts by effective priority, and then in the
  /// order in which it became ready, as soon as there is a place and all that it needs. So an operation
  /// that takes less time can make the whole take longer (R. L. Graham: Bounds on multiprocessing timing
  /// anomalies, 1969, doi:10.1137/0117039); without a width and resources it cannot. Of what ends at the same
  /// instant all counts before anything starts; an operation that takes no time ends as it starts. Each one
  /// succeeds at its first attempt, and every condition holds.
  ///
  /// - Parameters:
  ///   - width: how many operations are in flight at once. A worker that an operation does not leave until
  ///     it ends is a place, too: for synchronous work this is at most the width of the runtime.
  ///   - resources: what operations take from while they run, as if it were all free.
  ///   - durations: how long each operation takes; below zero counts as zero.
  /// - Throws: `OperationCycle`, `ResourceError`, `TriggerError`: what a run would be refused for.
  /// - Complexity: O(dependencies + operations × log operations), with resources times the number of
  ///   different needs.
  public func forecast(
    width: Int = .max, resources: ResourcePool? = nil, durations: (GraphOperation) -> Duration
  ) throws -> GraphReport {
    let times = (0..<Int32(table.count)).map {
      max(durations(GraphOperation(index: Int($0), name: table.name(of: $0))), .zero)
    }
    var forecast = try Forecast(self, width, resources, times)
    return GraphReport(table, try plan(), forecast.records(), from: .zero)
  }
}

/// How long an operation is expected to take.
public struct OperationDuration: Sendable, Hashable {
  let graph: UInt32
  let operation: Int32
  let duration: Duration
}

extension OperationGraph.Operation {
  /// How long this operation is expected to take, for a forecast: `code.lasting(.seconds(3))`.
  ///
  /// - Precondition: it is an operation: an input takes no time.
  public func lasting(_ duration: Duration) -> OperationDuration {
    precondition(index >= 0, "an input takes no time: it is there before the run")
    return OperationDuration(graph: graph, operation: index, duration: duration)
  }
}
