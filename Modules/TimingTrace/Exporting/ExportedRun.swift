internal import AsyncPatterns

/// A run taken apart: what every export starts from. Its numbers are those of the record.
struct ExportedRun {
  let run: SavedRun
  let table: SpanTable
  let layout: StepLayout
  /// When the run began, on the clock of the events.
  let origin: Int64
  /// The steps of the record.
  let steps: [StepRecord]
  /// The edges of the record, in the same order.
  let edges: [SpanTable.Edge]
  /// The blocked intervals of the record, in the same order.
  let blocked: [BlockedLanes.Interval]
  /// When the last thing that is to be seen ended.
  let end: Int64

  init(_ run: SavedRun) {
    self.run = run
    var table = SpanTable(run.events, run.record.clock)
    origin = table.root.map { table.nodes[$0].submitted } ?? table.firstEvent
    let record = run.record
    // A run that did not finish lasts until nobody waited for it any longer.
    let waited = record.intervals.map(\.to).max() ?? 0
    let stop = max(
      table.lastEvent,
      origin.addingClamped(record.outcome == .unfinished ? max(record.makespan, waited) : waited))
    table.closeIntervals(at: stop)
    end = stop
    self.table = table
    layout = StepLayout(table, origin: origin, critical: [], hasParts: record.lacksParts)
    steps = record.steps.count == layout.steps.count ? record.steps : layout.steps
    edges = table.edges
    blocked = table.blocking.intervals
  }

  var name: String { run.record.name }

  /// The step that a node is; nil for the run's own one.
  func step(of node: Int) -> StepRecord? { layout.stepOfNode[node].map { steps[$0] } }

  func relative(_ time: Int64) -> Int64 { time.subtractingClamped(origin) }

  /// Where a node did its work, or else where it started; one that did neither goes with its pattern.
  func lane(of node: Int) -> Lane {
    var current: Int? = node
    // As deep as compositions nest; made-up events may nest without end.
    for _ in 0..<256 {
      guard let index = current else { break }
      let node = table.nodes[index]
      if let lane = node.workLane ?? node.blockLane ?? node.startLane { return lane }
      current = node.parent
    }
    return table.lanes.all.first ?? .main
  }

  /// The outcome of a node as records spell it.
  func outcome(of node: Int) -> StepRecord.Outcome {
    if let step = step(of: node) { return step.outcome }
    let node = table.nodes[node]
    return node.finished == nil ? .unfinished : StepRecord.Outcome(node.outcome)
  }
}
