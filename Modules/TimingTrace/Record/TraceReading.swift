internal import AsyncPatterns

extension RunRecord {
  /// Whether it was cut off before the run's own step, a pattern, had got the first of its parts.
  var lacksParts: Bool { isCutOff && steps.isEmpty }
}

/// The events of a run beside its record: what is asked of a trace beyond what the record holds.
struct TraceReading {
  let record: RunRecord
  let table: SpanTable
  let path: CriticalPath
  /// The node of each step of the record.
  let nodes: [Int]
  /// The step of each node; nil for the run's own, unless it has no parts.
  let steps: [Int?]
  let origin: Int64

  /// - Parameter record: of these events; one that is not is made anew.
  init(_ record: RunRecord, _ events: [TraceEvent]) {
    var table = SpanTable(events, record.clock)
    let nodes = table.stepOrder(hasParts: record.lacksParts)
    let isMatching = nodes.count == record.steps.count
    origin = table.root.map { table.nodes[$0].submitted } ?? table.firstEvent
    self.record =
      isMatching
      ? record
      : RunRecord(
        events: events, name: record.name, pattern: nil, clock: record.clock, seed: record.seed,
        outcome: record.outcome, value: .none, error: nil, start: nil, end: nil, lasting: nil,
        dropped: 0, overhead: nil, isCutOff: record.isCutOff)
    table.closeIntervals(at: origin.addingClamped(self.record.makespan))
    self.table = table
    self.nodes = nodes
    var steps = [Int?](repeating: nil, count: table.nodes.count)
    for (step, node) in nodes.enumerated() { steps[node] = step }
    self.steps = steps
    path = CriticalPath(table, record.clock)
  }

  /// What shorter steps would come to.
  ///
  /// - Complexity: O(n log n) in the number of events.
  func sooner(eventCount: Int) -> Sooner {
    Sooner(
      table, path, eventCount: eventCount, end: origin.addingClamped(record.makespan))
  }

  /// The path of a node's step; the run's own step goes by its label.
  func name(of node: Int) -> String {
    steps[node].map { record.steps[$0].path } ?? table.nodes[node].label
  }

  func relative(_ time: Int64) -> Int64 { time.subtractingClamped(origin) }
}
