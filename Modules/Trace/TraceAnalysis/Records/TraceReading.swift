extension RunRecord {
  /// Whether the run's own step is a pattern, even if the events contain none of its parts.
  var rootHasParts: Bool { table?.rootHasParts ?? (isIncomplete && steps.isEmpty) }
}

/// The events of a run and its record. Together they answer questions about a trace that the record alone cannot.
package struct TraceReading {
  package let record: RunRecord
  package let events: TraceEvents
  package let table: SpanTable
  /// The node of each step of the record.
  package let nodes: [Int]
  /// The step of each node. Nil for the run's own step, unless it has no parts.
  package let steps: OptionalPositions
  /// The critical path, with reasons even if the record has none.
  let critical: [CriticalPart]
  let origin: Int64
  /// The end of everything that is shown. A run that did not finish lasts until the wait for it ended.
  package let end: Int64

  /// - Parameter record: the record of these events. If its steps differ from those of the events, it is derived again.
  package init(_ record: RunRecord, _ events: TraceEvents) {
    self.events = events
    var made = record
    // Some of the events from which the record was derived may have been left out.
    if record.table == nil || record.events != events.count {
      made.derive(from: events, lasting: record.makespan, hasParts: record.rootHasParts)
    }
    table = made.table ?? SpanTable(events, record.clock)
    nodes = table.stepOrder(hasParts: made.rootHasParts)
    critical = made.critical
    self.record = nodes.count == record.steps.count ? record : made
    origin =
      (made.derived.value as? Derivation)?.origin
      ?? table.root.map { [table] in table.submitTime(of: $0) } ?? table.firstEvent
    var steps = OptionalPositions(count: table.nodes.count)
    for (step, node) in nodes.enumerated() { steps[node] = step }
    self.steps = steps
    let waited = record.intervals.map(\.to).max() ?? 0
    let lasting = record.outcome == .unfinished ? max(record.makespan, waited) : waited
    end = max(table.lastEvent, origin.addingClamped(lasting))
  }

  /// The path of a node's step. The run's own step is identified by its label.
  package func name(of node: Int) -> String {
    steps[node].map { record.steps[$0].path } ?? table.label(of: node)
  }

  /// The path of a step. The run's own step, which is not in the record, is identified by its label.
  func name(ofStep step: Int?) -> String {
    step.map { record.steps[$0].path } ?? table.root.map { table.label(of: $0) } ?? ""
  }

  package func relative(_ time: Int64) -> Int64 { time.subtractingClamped(origin) }

  /// Converts a time span since the start to the clock of the events.
  func absolute(_ span: Range<Int64>) -> Range<Int64> {
    origin.addingClamped(span.lowerBound)..<origin.addingClamped(span.upperBound)
  }
}
