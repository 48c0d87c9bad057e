/// The times at which each operation of a graph ran, or would run. It shows where the time was spent, and which
/// operations have slack.
///
/// ```swift
/// let run = try build.launch(width: 2, isRecording: true)
/// _ = try await run.value
/// if let report = run.report { print(report) }
/// ```
///
/// A report comes from a run that records its times, or from a forecast, `OperationGraph.forecast`.
/// Both use the critical path method (J. E. Kelley and M. R. Walker: Critical-path planning and
/// scheduling, 1959, doi:10.1145/1460299.1460318), with one addition. An operation may be ready and
/// wait for a place, a worker or a resource. It then counts as coming after the operation that
/// freed the place, the worker or the resource.
public struct GraphReport: Sendable, Hashable {
  /// The times of all operations, in the order of adding.
  public let entries: [Entry]
  /// The time to the end of the last operation. It begins with the run in a forecast, and otherwise when the first
  /// operation was ready.
  public let makespan: Duration
  /// The operations that determine the makespan, each after the one that it waited for. None of them can take longer
  /// without making the makespan longer. The path contains only operations that ran.
  public let criticalPath: [GraphOperation]
  private let graph: UInt32

  /// The times of one operation.
  public struct Entry: Sendable, Hashable {
    public let operation: GraphOperation
    /// When it became ready, since the beginning of the makespan; nil if it never did.
    public let ready: Duration?
    /// When it started, since the beginning of the makespan; nil if it never did.
    public let started: Duration?
    /// When it ended, since the beginning of the makespan, whether it ran or not; nil if it has not ended.
    public let finished: Duration?
    /// How much later the operation could have ended without making the makespan longer. It is
    /// assumed that all others keep their durations and their order. Nil unless the operation ran
    /// to its end.
    public let slack: Duration?
    /// Whether it is on the critical path.
    public let isCritical: Bool
    /// The number of attempts.
    public let attempts: Int

    /// How long it took, including all attempts and the time between them; nil unless it ran to its end.
    public var duration: Duration? {
      guard let started, let finished else { return nil }
      return finished - started
    }

    /// The latest time at which it could have started; nil unless it ran to its end.
    public var latestStart: Duration? {
      guard let started, let slack else { return nil }
      return started + slack
    }

    /// The latest time at which it could have ended; nil unless it ran to its end.
    public var latestFinish: Duration? {
      guard let finished, let slack else { return nil }
      return finished + slack
    }
  }

  /// - Parameters:
  ///   - plan: the order of all operations.
  ///   - records: one for each operation.
  ///   - begin: when the run started; nil for the time when the first operation was ready.
  /// - Complexity: O(dependencies + operations × log operations)
  init(
    _ table: OperationTable, _ plan: GraphPlan, _ records: [OperationRecord],
    from begin: Instant? = nil
  ) {
    let analysis = CriticalPathAnalysis(table, plan, records, from: begin)
    let path = analysis.criticalPath
    let isCritical = Set(path)
    graph = table.graph
    makespan = .nanoseconds(analysis.end - analysis.begin)
    let operations = records.indices.map {
      GraphOperation(index: $0, name: table.name(of: Int32($0)))
    }
    criticalPath = path.map { operations[Int($0)] }
    entries = records.indices.map { index in
      let (record, operation) = (records[index], Int32(index))
      let ran = record.started != nil && record.finished != nil
      let since = { (time: Int64) in Duration.nanoseconds(time - analysis.begin) }
      return Entry(
        operation: operations[index], ready: record.ready.map { since($0.nanoseconds) },
        started: record.started.map { since(ran ? analysis.starts[index] : $0.nanoseconds) },
        finished: record.finished.map { _ in since(analysis.ends[index]) },
        slack: ran ? .nanoseconds(analysis.latestEnds[index] - analysis.ends[index]) : nil,
        isCritical: isCritical.contains(operation), attempts: record.attempts)
    }
  }

  /// The times of an operation.
  ///
  /// - Precondition: it is an operation of the graph.
  public subscript<Value>(operation: OperationGraph.Operation<Value>) -> Entry {
    precondition(
      operation.graph == graph && entries.indices.contains(Int(operation.index)),
      "the operation does not belong to this report's graph: use the handle that its add returned")
    return entries[Int(operation.index)]
  }

  /// How long an operation took; zero if it did not run. Use it for a forecast from measured durations:
  /// `build.forecast(width: 4, durations: report.duration(of:))`.
  public func duration(of operation: GraphOperation) -> Duration {
    entries.indices.contains(operation.index) ? entries[operation.index].duration ?? .zero : .zero
  }
}

extension GraphReport: CustomStringConvertible {
  /// A table with a line for each operation, and the critical path below it. Operations on the critical path are
  /// marked.
  public var description: String {
    let text = { (duration: Duration?) in duration?.shortDescription ?? "–" }
    var rows = [["", "operation", "started", "finished", "took", "slack"]]
    rows += entries.map { entry in
      [
        entry.isCritical ? "*" : "", entry.operation.name, text(entry.started),
        text(entry.finished), text(entry.duration), text(entry.slack),
      ]
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines = rows.map { row in
      let cells = row.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - row[column].count)
        return column < 2 ? row[column] + space : space + row[column]
      }
      return cells.joined(separator: "  ")
    }
    let path = criticalPath.map(\.name).joined(separator: ", ")
    lines.append(
      "makespan \(makespan.shortDescription), critical path: \(path.isEmpty ? "–" : path)")
    return lines.joined(separator: "\n")
  }
}

extension GraphRun {
  /// The times of all operations up to now; nil unless the run records them.
  ///
  /// - Complexity: O(dependencies + operations × log operations)
  public var report: GraphReport? {
    let (graph, records) = run.read { ($0.graph, $0.records?.all) }
    guard let records, let plan = try? graph.plan() else { return nil }
    return GraphReport(graph.table, plan, records)
  }
}
