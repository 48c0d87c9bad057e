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
      name: "", pattern: "", clock: clock, seed: seed, outcome: outcome, value: value, error: error)
    self.dropped = dropped
    self.overhead = overhead.map { Double($0.components.attoseconds) / 1e9 }
    derive(from: events, start: start, end: end)
    let root = table.value.flatMap { table in table.root.map { table.nodes[$0] } }
    self.pattern = pattern ?? root?.kind ?? ""
    self.name = name ?? self.pattern
  }

  /// Makes everything that follows from the events: the lists, the sums and the findings.
  ///
  /// - Parameters:
  ///   - start: when the run started; when its own step was submitted if nil.
  ///   - end: when nothing waited for a run any longer that did not finish.
  ///   - lasting: the same in nanoseconds since the start, where that is known in place of `end`.
  ///   - hasParts: whether the run's own step is a pattern with parts, which may be missing.
  mutating func derive(
    from events: [TraceEvent], start: Instant? = nil, end: Instant? = nil, lasting: Int64? = nil,
    hasParts: Bool = false
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
    makespan = max(last.subtractingClamped(origin), 0)
    work = table.work
    maxConcurrency = Concurrency(table).largest
    threads = table.lanes.all.count
    self.events = events.count
    let critical = CriticalPath(table).items.map(\.node)
    let layout = StepLayout(table, origin: origin, critical: critical, hasParts: hasParts)
    steps = layout.steps
    criticalPath = critical.filter { layout.stepOfNode[$0] != nil }.map { table.nodes[$0].label }
    edges = layout.edges
    intervals = layout.intervals
    counters = layout.counters
    blocked = table.blocking.intervals.reduce(0) { $0.addingClamped($1.length) }
    self.table.value = table
    lints =
      Lints(
        table, layout, SecondCompletions(events, table), clock: clock,
        isCutOff: isCutOff && outcome == .unfinished, causesAreInferred: causesAreInferred
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
  /// For each step, whether no other has its label.
  private var isUnique: [Bool] = []

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
    var rank = 0
    for end in table.moments.all where end.kind == .finish {
      guard let step = stepOfNode[end.node], table.nodes[end.node].start != nil else { continue }
      steps[step].finishRank = rank
      rank += 1
    }
    noteUniqueLabels()
  }

  private mutating func noteUniqueLabels() {
    isUnique = Array(repeating: true, count: steps.count)
    var known: [String: Int] = Dictionary(minimumCapacity: steps.count)
    for index in steps.indices {
      guard let other = known.updateValue(index, forKey: steps[index].label) else { continue }
      isUnique[other] = false
      isUnique[index] = false
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
      late: table.lateness(of: index), isLeaf: node.isLeaf)
    if let started = node.started {
      step.started = relative(started)
      step.finished = node.finished.map(relative)
      step.lane = (node.workLane ?? node.blockLane ?? node.startLane).map(table.lanes.name)
      step.outcome = node.finished == nil ? .unfinished : StepRecord.Outcome(node.outcome)
      if step.outcome == .failure, !node.reason.isEmpty { step.error = node.reason }
    } else if node.isPlace {
      // It neither starts nor completes: it is there, from when it was made to the end of its last part.
      step.started = step.submitted
      step.finished = relative(
        table.parts(of: index).compactMap { table.nodes[$0].finished }.max() ?? node.submitted)
      step.outcome = .success
    } else if isCalledOff(node) {
      step.outcome = .cancelled
    } else if mayStillStart(node) {
      step.outcome = .waiting
    }
    stepOfNode[index] = steps.count
    steps.append(step)
  }

  /// Whether what a step that never started is part of had not ended. A place ends nothing.
  private func mayStillStart(_ node: SpanTable.Node) -> Bool {
    guard let parent = node.parent.map({ table.nodes[$0] }) else { return true }
    return parent.finished == nil && !parent.isPlace
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
      EdgeRecord(from: name(of: edge.from), to: name(of: edge.to), kind: edge.kind)
    }
  }

  private func name(of node: Int) -> String {
    guard let step = stepOfNode[node] else { return path(of: node) }
    return isUnique[step] ? steps[step].label : steps[step].path
  }

  var intervals: [IntervalRecord] {
    let kinds: [(IntervalRecord.Kind, [LaneInterval])] = [
      (.blocked, table.blocking.intervals), (.queued, table.laneWaits),
      (.suspended, table.tasks.suspensions),
    ]
    let all = kinds.flatMap { kind, intervals in
      intervals.map { interval in
        IntervalRecord(
          kind: kind, step: path(of: interval.node), lane: table.lanes.name(of: interval.lane),
          from: relative(interval.from), to: relative(interval.to))
      }
    }
    // The sort is stable, so those of one start stay as they are.
    return all.sorted { $0.from < $1.from }
  }

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
