extension OperationGraph {
  /// Forecasts a run in which operations take the given durations. The report has the start and end of each operation,
  /// the critical path, and the slack of each operation.
  ///
  /// ```swift
  /// let forecast = try build.forecast(
  ///   code.lasting(.seconds(3)), art.lasting(.seconds(2)), bundle.lasting(.seconds(1)), width: 2)
  /// print(forecast.makespan, forecast[art].slack ?? .zero)
  /// ```
  ///
  /// - Parameters:
  ///   - durations: how long operations take; operations that are not listed take no time.
  ///   - width: how many operations may be in flight at the same time.
  ///   - resources: the pool that operations take resources from, as if all of it were free.
  /// - Throws: `OperationCycle`, `ResourceError` or `TriggerError`, where a run would be rejected for the same reason.
  /// - Precondition: the operations belong to this graph.
  /// - Complexity: see ``forecast(width:resources:durations:)``
  public func forecast(
    _ durations: OperationDuration..., width: Int = .max, resources: ResourcePool? = nil
  ) throws -> GraphReport {
    var times: [Int32: Duration] = [:]
    for duration in durations {
      precondition(
        duration.graph == table.graph && duration.operation < table.count,
        "the operation belongs to another graph: use the handle that this graph's add returned")
      times[duration.operation] = duration.duration
    }
    return try forecast(width: width, resources: resources) { times[Int32($0.index)] ?? .zero }
  }

  /// Forecasts a run in which a closure gives the duration of each operation, such as measured durations:
  /// `build.forecast(width: 4, durations: report.duration(of:))`.
  ///
  /// The forecast is a simulated run without the work. Ready operations start by effective priority, and then in the
  /// order in which they became ready. Each starts as soon as there is a place and all resources that it needs. So an
  /// operation that takes less time can make the whole run take longer (R. L. Graham: Bounds on multiprocessing timing
  /// anomalies, 1969, doi:10.1137/0117039). Without a width and resources this cannot happen. Operations that end at
  /// the same instant all count as ended before any other starts. An operation that takes no time ends as it starts.
  /// Each operation succeeds at its first attempt, and every condition holds.
  ///
  /// - Parameters:
  ///   - width: how many operations may be in flight at the same time. In a real run, synchronous work also occupies a
  ///     worker until it ends. So for synchronous work, pass at most the width of the runtime.
  ///   - resources: the pool that operations take resources from, as if all of it were free.
  ///   - durations: how long each operation takes; below zero counts as zero.
  /// - Throws: `OperationCycle`, `ResourceError` or `TriggerError`, where a run would be rejected for the same reason.
  /// - Complexity: O(dependencies + operations × log operations). With resources, this is multiplied by the number of
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
  /// - Precondition: this is an operation, and not an input: an input takes no time.
  public func lasting(_ duration: Duration) -> OperationDuration {
    precondition(index >= 0, "an input takes no time: its value exists before the run")
    return OperationDuration(graph: graph, operation: index, duration: duration)
  }
}
