public import AsyncPatterns

extension RunRecord {
  /// What the events of a run come to.
  ///
  /// - Parameters:
  ///   - events: of this run alone, in time order, as `Recorder.snapshot()` gives them.
  ///   - name: what to call the run; the name of its pattern if nil.
  ///   - pattern: what stands at the top; as the events have it if nil.
  ///   - result: what became of the run, or nil if it did not finish.
  ///   - start: when it began; when its own step was submitted if nil.
  ///   - end: when somebody stopped waiting for a run that did not finish; its last event if nil.
  /// - Complexity: O(n log n) in the number of events; a million take less than a second.
  public init(
    events: [TraceEvent], name: String? = nil, pattern: String? = nil, clock: ClockKind,
    seed: UInt64 = 0, result: Result<Value, any Error>?, start: Instant? = nil, end: Instant? = nil,
    dropped: Int = 0, overhead: Duration? = nil
  ) {
    let outcome: Outcome
    var value = Value.none
    var error: String?
    switch result {
    case .success(let success)?:
      outcome = .success
      value = success
    case .failure(let failure)?:
      outcome = failure is CancellationError ? .cancelled : .failure
      if outcome == .failure { error = String(describing: failure) }
    case nil: outcome = .unfinished
    }
    self.init(
      events: events, name: name, pattern: pattern, clock: clock, seed: seed, outcome: outcome,
      value: value, error: error, start: start, end: end, dropped: dropped, overhead: overhead)
  }

  /// What the events of a run come to, with its outcome spelled out; otherwise as with a result.
  public init(
    events: [TraceEvent], name: String? = nil, pattern: String? = nil, clock: ClockKind,
    seed: UInt64 = 0, outcome: Outcome, value: Value = .none, error: String? = nil,
    start: Instant? = nil, end: Instant? = nil, dropped: Int = 0, overhead: Duration? = nil
  ) {
    self.init(
      events: events, name: name, pattern: pattern, clock: clock, seed: seed, outcome: outcome,
      value: value, error: error, start: start, end: end, lasting: nil, dropped: dropped,
      overhead: overhead)
  }

  /// - Parameters:
  ///   - lasting: how long after the start somebody still waited, in nanoseconds, where that is known
  ///     in place of `end`.
  ///   - isCutOff: whether the recording ended before the run did.
  ///   - hasParts: whether the run's own step is a pattern with parts, which may be missing.
  init(
    events: [TraceEvent], name: String?, pattern: String?, clock: ClockKind, seed: UInt64,
    outcome: Outcome, value: Value, error: String?, start: Instant?, end: Instant?, lasting: Int64?,
    dropped: Int, overhead: Duration?, isCutOff: Bool = false, hasParts: Bool = false
  ) {
    var table = SpanTable(events, clock)
    let root = table.root
    let origin =
      start?.nanoseconds ?? root.map { table.nodes[$0].submitted } ?? table.firstEvent
    let stop =
      end?.nanoseconds ?? max(table.lastEvent, lasting.map(origin.addingClamped) ?? .min)
    table.closeIntervals(at: stop)
    let last =
      outcome == .unfinished
      ? max(stop, table.lastCompletion ?? stop) : table.lastCompletion ?? origin

    let kind = root.map { table.nodes[$0].kind } ?? ""
    self.init(
      name: name ?? pattern ?? kind, pattern: pattern ?? kind, clock: clock, seed: seed,
      outcome: outcome, value: value, error: error,
      makespan: max(last.subtractingClamped(origin), 0), work: table.work,
      maxConcurrency: Concurrency(table).largest, threads: table.lanes.all.count,
      events: events.count, dropped: dropped,
      overhead: overhead.map { Double($0.components.attoseconds) / 1e9 })

    let critical = CriticalPath(table, clock).turns().map(\.leaf)
    let layout = StepLayout(table, origin: origin, critical: critical, hasParts: hasParts)
    steps = layout.steps
    criticalPath = critical.filter { layout.stepOfNode[$0] != nil }.map { table.nodes[$0].label }
    edges = layout.edges
    intervals = layout.intervals
    counters = layout.counters
    self.isCutOff = isCutOff
    blocked = table.blocking.intervals.reduce(0) { $0.addingClamped($1.length) }
    lints =
      Lints(
        table, layout, SecondCompletions(events, table), clock: clock, isCutOff: isCutOff
      ).all
  }
}

extension SpanTable {
  /// The nodes that are steps of a record, in its order: parts follow their pattern. The run's own step is
  /// none, unless it has no parts, and none are to come.
  ///
  /// Without recursion, since nothing bounds how deep events may say that patterns nest.
  func stepOrder(hasParts: Bool = false) -> [Int] {
    var order: [Int] = []
    order.reserveCapacity(nodes.count)
    let root = root
    for top in nodes.indices where nodes[top].parent == nil {
      var pending: [Int] = []
      if top != root || nodes[top].isLeaf && !hasParts { order.append(top) }
      if let first = nodes[top].firstChild { pending.append(first) }
      while let index = pending.popLast() {
        order.append(index)
        if let sibling = nodes[index].nextSibling { pending.append(sibling) }
        if let child = nodes[index].firstChild { pending.append(child) }
      }
    }
    return order
  }
}

/// The steps of a record, and how to name them.
struct StepLayout {
  let table: SpanTable
  private let origin: Int64
  /// How many bytes of paths there may still be, so that events which nest without end do not take memory
  /// without end.
  private var pathRoom: Int
  private(set) var steps: [StepRecord] = []
  /// For each node, the position of its step.
  private(set) var stepOfNode: [Int?]
  private var isUnique: [String: Bool] = [:]

  /// - Parameter hasParts: whether the run's own step has parts, be they missing.
  init(_ table: SpanTable, origin: Int64, critical: [Int], hasParts: Bool = false) {
    self.table = table
    self.origin = origin
    pathRoom = 64 << 20 + 64 * table.nodes.count
    stepOfNode = Array(repeating: nil, count: table.nodes.count)
    steps.reserveCapacity(table.nodes.count)
    for index in table.stepOrder(hasParts: hasParts) { addStep(index) }
    for index in critical {
      if let step = stepOfNode[index] { steps[step].isCritical = true }
    }
    let finished = table.nodes.indices
      .filter { stepOfNode[$0] != nil && table.nodes[$0].duration != nil }
      .sorted { table.nodes[$0].finishPosition < table.nodes[$1].finishPosition }
    for (rank, index) in finished.enumerated() {
      if let step = stepOfNode[index] { steps[step].finishRank = rank }
    }
    isUnique.reserveCapacity(steps.count)
    for step in steps {
      let known = isUnique.updateValue(true, forKey: step.label) != nil
      if known { isUnique[step.label] = false }
    }
  }

  private mutating func addStep(_ index: Int) {
    let node = table.nodes[index]
    let parent = node.parent.flatMap { stepOfNode[$0] }
    var path = node.label
    if let group = node.group { path = group + "/" + path }
    if let parent {
      let above = steps[parent].path
      path = (above.utf8.count < min(pathRoom, 16_384) ? above : "…") + "/" + path
      pathRoom -= path.utf8.count
    }
    var step = StepRecord(
      label: node.label, path: path, pattern: node.kind, submitted: relative(node.submitted),
      parent: parent, work: node.work, blocked: node.blocked,
      late: table.endWait(of: index)?.length ?? 0, isLeaf: node.isLeaf)
    if let started = node.started {
      step.started = relative(started)
      step.finished = node.finished.map(relative)
      step.lane = (node.workLane ?? node.blockLane ?? node.startLane).map(table.lanes.name)
      step.outcome = node.finished == nil ? .unfinished : StepRecord.Outcome(node.outcome)
      if step.outcome == .failure, !node.reason.isEmpty { step.error = node.reason }
    } else if SpanTable.isPlace(node.kind) {
      // It neither starts nor completes: it is there, from when it was made to the end of its last part.
      step.started = step.submitted
      step.finished = relative(lastEnd(in: node))
      step.outcome = .success
    } else if isCalledOff(node) {
      step.outcome = .cancelled
    } else if mayStillStart(node) {
      step.outcome = .waiting
    }
    stepOfNode[index] = steps.count
    steps.append(step)
  }

  /// When the last of its parts ended that did.
  private func lastEnd(in node: SpanTable.Node) -> Int64 {
    var last = node.submitted
    var part = node.firstChild
    while let index = part {
      last = max(last, table.nodes[index].finished ?? last)
      part = table.nodes[index].nextSibling
    }
    return last
  }

  /// Whether what a step that never started is part of had not ended. A place ends nothing.
  private func mayStillStart(_ node: SpanTable.Node) -> Bool {
    guard let parent = node.parent.map({ table.nodes[$0] }) else { return true }
    return parent.finished == nil && !SpanTable.isPlace(parent.kind)
  }

  /// Whether a step that never started was called off, alone or with what it is part of.
  private func isCalledOff(_ node: SpanTable.Node) -> Bool {
    node.outcome == .cancelled || node.parent.map { table.nodes[$0].outcome == .cancelled } ?? false
  }

  func relative(_ time: Int64) -> Int64 { time.subtractingClamped(origin) }

  /// The path of a node's step; the run's own step goes by its label.
  func path(of node: Int?) -> String {
    guard let node else { return "" }
    return stepOfNode[node].map { steps[$0].path } ?? table.nodes[node].label
  }

  var edges: [EdgeRecord] {
    table.edges.map { edge in
      EdgeRecord(from: name(of: edge.from), to: name(of: edge.to), kind: .init(edge.kind))
    }
  }

  private func name(of node: Int) -> String {
    guard let step = stepOfNode[node] else { return path(of: node) }
    let label = steps[step].label
    return isUnique[label] == true ? label : steps[step].path
  }

  var intervals: [IntervalRecord] {
    func interval(
      _ kind: IntervalRecord.Kind, _ node: Int?, _ lane: Lane, _ from: Int64, _ to: Int64
    ) -> IntervalRecord {
      IntervalRecord(
        kind: kind, step: path(of: node), lane: table.lanes.name(of: lane), from: relative(from),
        to: relative(to))
    }
    let blocked = table.blocking.intervals.map {
      interval(.blocked, $0.node, $0.lane, $0.from, $0.to)
    }
    guard !table.laneWaits.all.isEmpty else { return blocked }
    let queued = table.laneWaits.all.map {
      interval(.queued, $0.node, $0.lane, $0.from, $0.to)
    }
    // Stable, so that those of one start stay as they are.
    return (blocked + queued).enumerated().sorted {
      ($0.element.from, $0.offset) < ($1.element.from, $1.offset)
    }
    .map(\.element)
  }
}

extension StepLayout {
  var counters: [CounterRecord] {
    table.counters.map { counter in
      CounterRecord(
        name: counter.name, step: path(of: counter.node),
        points: counter.points.map { .init(time: relative($0.time), value: $0.value) })
    }
  }
}

extension StepRecord.Outcome {
  init(_ outcome: TraceEvent.Outcome?) {
    switch outcome {
    case .success, nil: self = .success
    case .failure: self = .failure
    case .cancelled: self = .cancelled
    }
  }
}
