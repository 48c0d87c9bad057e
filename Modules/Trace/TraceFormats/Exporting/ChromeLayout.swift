/// The positions of a run's slices in a Chrome trace, and the arrows between them.
struct ChromeLayout {
  struct Slice {
    enum Kind: UInt8 {
      case step, blocked
      /// A time in which a task ran on a thread.
      case run
      /// A step that never started, at the time at which its pattern submitted it.
      case skipped
      /// An instant at which another step let this one continue.
      case wakeUp
    }

    let kind: Kind
    /// The step or task; for a blocked lane, the step for which it was blocked; for a wake-up, the step that continued.
    let node: Int?
    let lane: Lane
    let from: Int64
    let to: Int64
    /// Orders slices that start at the same instant.
    let position: Int
    /// For a wake-up, the index of the edge that leads here. For a blocked lane, the index of the interval. For a run of
    /// a task, its index among all runs.
    var index = -1
    var row = 0
    /// The identity of its own track, if it has no place in a row.
    var ownTrack: Int?
    var firstArrow: Int32 = -1
  }

  /// One end of an arrow. The ends at one slice form a linked list.
  struct ArrowEnd {
    let edge: Int32
    let isStart: Bool
    let next: Int32
  }

  let run: TraceReading
  let edges: [SpanTable.Edge]
  private(set) var rows: SliceRows
  private(set) var slices: [Slice] = []
  private(set) var arrowEnds: [ArrowEnd] = []
  /// The tasks that ran. Such a task has a track of its own, and its runs are in the rows of their threads.
  private var hasRuns: Set<Int> = []
  /// The number of the first arrow.
  let firstIdentity: Int

  /// - Parameter identities: the number of identities used so far, over all runs of a trace.
  init(_ run: TraceReading, identities: inout Int) {
    self.run = run
    edges = run.table.edges
    rows = SliceRows(run.table)
    firstIdentity = identities + 1
    identities += edges.count
    collect()
    place(identities: &identities)
  }

  /// The path of a step as written in `args`.
  func path(of node: Int?) -> String { run.path(of: node).withoutControlCharacters }

  private mutating func collect() {
    let table = run.table
    for (index, run) in table.tasks.runs.enumerated() where table.nodes[run.node].isTask {
      hasRuns.insert(run.node)
      slices.append(
        Slice(
          kind: .run, node: run.node, lane: run.lane, from: run.from, to: run.to,
          position: table.startPosition(of: run.node), index: index))
    }
    var isEnd = Array(repeating: false, count: table.nodes.count)
    for edge in edges {
      isEnd[edge.from] = true
      isEnd[edge.to] = true
    }
    let blocked = table.blocking.intervals
    slices.reserveCapacity(table.nodes.count + blocked.count)
    for (index, node) in table.nodes.enumerated() {
      if let started = table.startTime(of: index) {
        let end = max(table.finishTime(of: index) ?? run.end, started)
        slices.append(
          Slice(
            kind: .step, node: index, lane: run.lane(of: index), from: started, to: end,
            position: table.startPosition(of: index)))
      } else if isEnd[index] {
        slices.append(
          Slice(
            kind: .skipped, node: index, lane: run.lane(of: index),
            from: table.submitTime(of: index),
            to: table.submitTime(of: index), position: node.submitPosition))
      }
    }
    for (index, interval) in blocked.enumerated() {
      slices.append(
        Slice(
          kind: .blocked, node: interval.node, lane: interval.lane, from: interval.from,
          to: interval.to, position: .max - 1, index: index))
    }
    // An arrow leads to the start of a step. If the step had started before the source of the arrow, the arrow leads to
    // a wake-up in the step.
    for (index, edge) in edges.enumerated()
    where !leadsToStart(edge) && !hasRuns.contains(edge.to) {
      let time = max(edge.time, start(of: edge.from).time)
      slices.append(
        Slice(
          kind: .wakeUp, node: edge.to, lane: run.lane(of: edge.to), from: time, to: time,
          position: .max, index: index))
    }
    slices.sort { left, right in
      if left.from != right.from { return left.from < right.from }
      if left.position != right.position { return left.position < right.position }
      return (right.to, left.index) < (left.to, right.index)
    }
  }

  private func start(of node: Int) -> (time: Int64, position: Int) {
    guard let started = run.table.startTime(of: node) else {
      return (run.table.submitTime(of: node), run.table.nodes[node].submitPosition)
    }
    return (started, run.table.startPosition(of: node))
  }

  private func leadsToStart(_ edge: SpanTable.Edge) -> Bool {
    start(of: edge.from) < start(of: edge.to)
  }

  private mutating func place(identities: inout Int) {
    var sliceOfNode: [Int32] = Array(repeating: -1, count: run.table.nodes.count)
    var wakeUps: [Int: Int] = [:]
    var runsOfNode: [Int: [Int]] = [:]
    for (index, slice) in slices.enumerated() {
      switch slice.kind {
      case .step, .skipped: if let node = slice.node { sliceOfNode[node] = Int32(index) }
      case .wakeUp: wakeUps[slice.index] = index
      case .run: if let node = slice.node { runsOfNode[node, default: []].append(index) }
      case .blocked: break
      }
    }
    arrowEnds.reserveCapacity(edges.count * 2)
    for (index, edge) in edges.enumerated().reversed() {
      // Arrows that end at a slice come before arrows that start there.
      // An arrow leads from the run in which its cause happened to the next run of the other task.
      let sources = runsOfNode[edge.from, default: []]
      let source = sources[..<sources.firstIndexBeyond { slices[$0].from > edge.time }].last
      let targets = runsOfNode[edge.to, default: []]
      let target = targets[targets.firstIndexBeyond { slices[$0].from >= edge.time }...].first
      chain(
        index, isStart: true, at: source ?? sources.first ?? Int(sliceOfNode[edge.from]))
      chain(
        index, isStart: false,
        at: wakeUps[index] ?? target ?? targets.last ?? Int(sliceOfNode[edge.to]))
    }
    for index in slices.indices {
      let slice = slices[index]
      let isOfThread = slice.kind != .step || !hasRuns.contains(slice.node ?? -1)
      let row =
        isOfThread
        ? rows.row(
          for: slice.node, isStep: slice.kind == .step || slice.kind == .run, lane: slice.lane,
          from: slice.from, to: slice.to, mayAdd: slice.firstArrow >= 0) : nil
      if let row {
        slices[index].row = row
      } else {
        identities += 1
        slices[index].ownTrack = identities
        slices[index].row = rows.first(of: slice.lane)
      }
    }
  }

  private mutating func chain(_ edge: Int, isStart: Bool, at slice: Int) {
    arrowEnds.append(
      ArrowEnd(edge: Int32(edge), isStart: isStart, next: slices[slice].firstArrow))
    slices[slice].firstArrow = Int32(arrowEnds.count - 1)
  }

  /// The time of an arrow's end. A viewer finds the slice of the arrow by this time.
  func time(of end: ArrowEnd, at slice: Slice) -> Int64 {
    guard slice.kind == .run else { return slice.from }
    return min(max(edges[Int(end.edge)].time, slice.from), max(slice.to - 1, slice.from))
  }

  /// Calls `body` with each arrow end of a slice.
  func forEachArrow(of slice: Slice, _ body: (ArrowEnd) -> Void) {
    var index = slice.firstArrow
    while index >= 0 {
      body(arrowEnds[Int(index)])
      index = arrowEnds[Int(index)].next
    }
  }
}
