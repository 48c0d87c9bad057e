internal import AsyncPatterns

/// Which slice of a run stands where.
struct ChromeLayout {
  struct Slice {
    var name: String
    var category: String
    var from: Int64
    var to: Int64
    var details: [(String, String)]
    /// The row it stands in, or the one of its lane.
    var row = 0
    /// The identity of its own track, if it stands in none.
    var ownTrack: Int?
    var arrows: [Arrow] = []
  }

  struct Arrow {
    let identity: Int
    let name: String
    let isStart: Bool
    let time: Int64
  }

  struct Counter {
    let name: String
    let number: Double
    let time: Int64
  }

  struct Mark {
    let name: String
    let detail: String
    let row: Int
    let time: Int64
  }

  /// The names of the rows: lanes, and further rows below them.
  private(set) var rows: [String] = []
  private(set) var slices: [Slice] = []
  private(set) var counters: [Counter] = []
  private(set) var marks: [Mark] = []

  /// Beyond this many rows for one lane, what overlaps gets a track of its own and loses its arrows.
  private static let mostRows = 256

  private let table: SpanTable
  private let origin: Int64
  private var rowsOfLane: [Lane: [Row]] = [:]

  /// A row as it fills: the slices that are still open.
  private struct Row {
    let number: Int
    var open: [(end: Int64, node: Int?)] = []
  }

  /// - Parameter identities: counts what needs an identity, over all runs of a trace.
  init(_ events: [TraceEvent], identities: inout Int) {
    var table = SpanTable(events)
    table.closeIntervals(at: table.lastEvent)
    self.table = table
    origin = table.root.map { table.nodes[$0].submitted } ?? table.firstEvent
    for lane in table.lanes.all.sorted() {
      rowsOfLane[lane] = [Row(number: rows.count)]
      rows.append(table.lanes.name(of: lane))
    }
    place(identities: &identities)
    for event in events {
      let time = event.time.nanoseconds.subtractingClamped(origin)
      switch event.kind {
      case .mark, .misuse:
        let row = rowsOfLane[event.lane]?.first?.number ?? 0
        marks.append(Mark(name: event.name, detail: event.detail, row: row, time: time))
      default: break
      }
    }
    addCounters()
  }

  /// The lines that the timeline draws: Perfetto puts what has one name in one track, and two steps that
  /// record at the same time would zigzag in it.
  private mutating func addCounters() {
    guard !table.counters.isEmpty else { return }
    let records = StepLayout(table, origin: origin, critical: []).counters
    for line in CounterLine.lines(of: records) {
      counters += line.points.map { Counter(name: line.title, number: $0.value, time: $0.time) }
    }
  }

  /// Something to be placed: a step or a blocked interval.
  private struct Candidate {
    var slice: Slice
    let lane: Lane
    let node: Int?
    let isStep: Bool
    let position: Int
  }

  private mutating func place(identities: inout Int) {
    let arrows = arrows(identities: &identities)
    for candidate in candidates() {
      var slice = candidate.slice
      let own = candidate.isStep ? candidate.node.map { arrows[$0] } ?? [] : []
      if let row = row(for: candidate, mayOpen: !own.isEmpty) {
        slice.row = row
        slice.arrows = own
      } else {
        identities += 1
        slice.ownTrack = identities
        slice.row = rowsOfLane[candidate.lane]?.first?.number ?? 0
      }
      slices.append(slice)
    }
    dropHalfArrows()
  }

  /// In the order in which they began: what holds others comes before them.
  private func candidates() -> [Candidate] {
    var result: [Candidate] = []
    for (index, node) in table.nodes.enumerated() {
      guard let started = node.started else { continue }
      let slice = Slice(
        name: node.label, category: "step", from: started.subtractingClamped(origin),
        to: max(node.finished ?? table.lastEvent, started).subtractingClamped(origin),
        details: details(node))
      result.append(
        Candidate(
          slice: slice, lane: node.workLane ?? node.blockLane ?? node.startLane ?? .main,
          node: index, isStep: true, position: node.startPosition))
    }
    for interval in table.blocking.intervals {
      let label = interval.node.map { table.nodes[$0].label } ?? ""
      let slice = Slice(
        name: "blocked", category: "blocked", from: interval.from.subtractingClamped(origin),
        to: interval.to.subtractingClamped(origin), details: [("step", label)])
      result.append(
        Candidate(
          slice: slice, lane: interval.lane, node: interval.node, isStep: false, position: .max))
    }
    return result.sorted { left, right in
      (left.slice.from, left.position, right.slice.to)
        < (right.slice.from, right.position, left.slice.to)
    }
  }

  private func details(_ node: SpanTable.Node) -> [(String, String)] {
    var details = [("pattern", node.kind)]
    if let outcome = node.outcome { details.append(("outcome", "\(outcome)")) }
    if node.finished == nil { details.append(("outcome", "unfinished")) }
    if !node.reason.isEmpty { details.append(("error", node.reason)) }
    if let group = node.group { details.append(("list", group)) }
    if let started = node.started, started > node.submitted {
      let wait = Duration.nanoseconds(started.subtractingClamped(node.submitted))
      details.append(("waited", wait.shortDescription))
    }
    if node.work > 0 { details.append(("work", Duration.nanoseconds(node.work).shortDescription)) }
    return details
  }

  /// A row of the lane in which the slice nests, if there is one or may be another.
  private mutating func row(for candidate: Candidate, mayOpen: Bool) -> Int? {
    let lane = candidate.lane
    var rows = rowsOfLane[lane] ?? []
    // Taken out meanwhile, so that it is changed in place.
    rowsOfLane[lane] = nil
    defer { rowsOfLane[lane] = rows }
    let open = (end: candidate.slice.to, node: candidate.isStep ? candidate.node : nil)
    for index in 0..<(mayOpen ? rows.count : min(1, rows.count)) {
      guard admits(candidate, &rows[index]) else { continue }
      rows[index].open.append(open)
      return rows[index].number
    }
    guard mayOpen, rows.count < ChromeLayout.mostRows else { return nil }
    let number = self.rows.count
    self.rows.append("\(table.lanes.name(of: lane)), overlapping \(rows.count)")
    rows.append(Row(number: number, open: [open]))
    return number
  }

  /// Whether nothing stands in the way but what it is a part of.
  private func admits(_ candidate: Candidate, _ row: inout Row) -> Bool {
    while let last = row.open.last, last.end <= candidate.slice.from { row.open.removeLast() }
    guard let last = row.open.last else { return true }
    guard last.end >= candidate.slice.to, let holder = last.node else { return false }
    var node = candidate.isStep ? candidate.node.flatMap { table.nodes[$0].parent } : candidate.node
    while let current = node, current > holder { node = table.nodes[current].parent }
    return node == holder
  }

  /// For each node the ends of the arrows that it carries.
  private func arrows(identities: inout Int) -> [[Arrow]] {
    var result: [[Arrow]] = Array(repeating: [], count: table.nodes.count)
    for edge in table.edges {
      guard edge.from != edge.to, let from = table.nodes[edge.from].started,
        let to = table.nodes[edge.to].started, from <= max(to, edge.time)
      else { continue }
      identities += 1
      let name = EdgeRecord.Kind(edge.kind).rawValue
      // It leads to the start, or to where the step that had started already was let go on.
      let end = from <= to ? to : edge.time
      for (node, isStart, time) in [(edge.from, true, from), (edge.to, false, end)] {
        result[node].append(
          Arrow(
            identity: identities, name: name, isStart: isStart,
            time: time.subtractingClamped(origin)))
      }
    }
    return result
  }

  /// Where one end has found no row, the other would point nowhere.
  private mutating func dropHalfArrows() {
    var ends: [Int: Int] = [:]
    for slice in slices { for arrow in slice.arrows { ends[arrow.identity, default: 0] += 1 } }
    guard ends.contains(where: { $0.value != 2 }) else { return }
    for index in slices.indices { slices[index].arrows.removeAll { ends[$0.identity] != 2 } }
  }
}
