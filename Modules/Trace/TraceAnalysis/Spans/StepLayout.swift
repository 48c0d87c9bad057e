/// The steps of a record, and their names.
struct StepLayout {
  let table: SpanTable
  private let origin: Int64
  private let root: Int?
  /// The steps that are not below the run's own step, and do not belong to another step. Usually there are none or few.
  private var besideOwn: Set<Int> = []
  /// The number of bytes that further paths may take. It limits the memory for events that nest without end.
  private var pathRoom: Int
  private(set) var steps: [StepRecord] = []
  /// For each node, the position of its step.
  private(set) var stepOfNode: OptionalPositions

  /// The shared properties of the last step, and of the last step on each lane.
  private var lastCommon: Common?
  private var lastCommonOfLane: [Lane?: Common] = [:]

  /// It is an object, so that a step can be compared with it without copying names.
  private final class Common: Sendable {
    let parent: Int?
    let group: String?
    let lane: Lane?
    let properties: Shared<StepRecord.CommonProperties>

    init(
      _ parent: Int?, _ group: String?, _ lane: Lane?,
      _ properties: Shared<StepRecord.CommonProperties>
    ) {
      (self.parent, self.group, self.lane, self.properties) = (parent, group, lane, properties)
    }

    func matches(_ parent: Int?, _ group: String?, _ kind: String, _ lane: Lane?) -> Bool {
      self.lane == lane && self.parent == parent && self.group == group
        && properties.properties.pattern == kind
    }
  }

  /// - Parameter hasParts: whether the run's own step has parts, even if they are missing.
  init(_ table: SpanTable, origin: Int64, hasParts: Bool = false) {
    self.table = table
    self.origin = origin
    pathRoom = 64 << 20 + 64 * table.nodes.count
    stepOfNode = OptionalPositions(count: table.nodes.count)
    steps.reserveCapacity(table.nodes.count)
    root = table.root
    for index in table.stepOrder(hasParts: hasParts) { addStep(index, of: table) }
    var rank = 0
    for end in table.moments.all where end.kind == .finish {
      guard let step = stepOfNode[end.node], table.hasStarted(end.node) else { continue }
      steps[step].finishRank = rank
      rank += 1
    }
    numberAttempts()
  }

  /// Marks the steps of the critical path.
  mutating func markCritical(_ path: some Sequence<Int>) {
    for step in path { steps[step].isCritical = true }
  }

  private struct Attempted: Hashable {
    let parent: Int?
    let label: String
  }

  /// Numbers the starts of one label in one pattern, if there are several.
  private mutating func numberAttempts() {
    let patterns = patternsWithRepetitions
    guard !patterns.isEmpty else { return }
    var starts: [Attempted: [Int]] = [:]
    for index in steps.indices where patterns.contains(steps[index].parent) {
      starts[Attempted(parent: steps[index].parent, label: steps[index].label), default: []]
        .append(index)
    }
    for attempts in starts.values where attempts.count > 1 {
      for (number, index) in zip(1..., attempts) { steps[index].attempt = number }
    }
  }

  /// The patterns with a label that several of their parts may have; nil for the run's own step.
  ///
  /// Looking up every label of a million steps would take longer than the rest of the layout. The labels of a count
  /// differ by numbers that increase, so it is sufficient to look up the first of them.
  private var patternsWithRepetitions: Set<Int?> {
    var patterns: Set<Int?> = []
    var stems: Set<Attempted> = []
    var lastPart = OptionalPositions(count: steps.count + 1)
    for index in steps.indices {
      let parent = steps[index].parent
      let place = parent.map { $0 + 1 } ?? 0
      let isNext =
        lastPart[place].map { Folding.label(steps[index].label, follows: steps[$0].label) } ?? false
      if !isNext {
        let stem = Attempted(parent: parent, label: Folding.stem(of: steps[index].label))
        if !stems.insert(stem).inserted { patterns.insert(parent) }
      }
      lastPart[place] = index
    }
    return patterns
  }

  // The table is a parameter. If its functions were called on the property, each call would copy the table, since this
  // structure changes. The node is not a constant, because that would be a copy, too.
  private mutating func addStep(_ index: Int, of table: SpanTable) {
    let parent = table.nodes[index].parent.flatMap { stepOfNode[$0] }
    let label = table.label(of: index)
    let common = commonProperties(of: index, in: parent, of: table)
    stepOfNode[index] = steps.count
    if table.nodes[index].parent == nil, index != root { besideOwn.insert(steps.count) }
    steps.append(
      StepRecord(
        label: label, common, submitted: relative(table.submitTime(of: index)), parent: parent,
        work: table.nodes[index].work, isLeaf: table.nodes[index].isLeaf))
    table.complete(&steps[steps.count - 1], of: index, from: origin)
  }

  /// The properties that the step shares with others: with the previous step on its lane, if they are the same.
  private mutating func commonProperties(
    of node: Int, in parent: Int?, of table: SpanTable
  ) -> Shared<StepRecord.CommonProperties> {
    let lane = table.hasStarted(node) ? table.lane(of: node) : nil
    let kind = table.kind(of: node)
    let group = table.nodes[node].details?.group
    // Usually the previous step has the same properties. Then no lane needs to be looked up.
    if let last = lastCommon, last.matches(parent, group, kind, lane), takeRoom(last) {
      return last.properties
    }
    if let last = lastCommonOfLane[lane], last.matches(parent, group, kind, lane), takeRoom(last) {
      lastCommon = last
      return last.properties
    }
    let properties = Shared(
      StepRecord.CommonProperties(
        container: container(group, in: parent), pattern: kind,
        lane: lane.map { table.lanes.name(of: $0) }))
    let common = Common(parent, group, lane, properties)
    (lastCommon, lastCommonOfLane[lane]) = (common, common)
    return properties
  }

  /// Takes the room for one more path in a container. Returns false if there is none.
  private mutating func takeRoom(_ common: Common) -> Bool {
    guard let container = common.properties.properties.container else { return true }
    // A container that was cut because there was no room stays as it is.
    guard container.utf8.count < max(pathRoom, 64) else { return false }
    pathRoom -= container.utf8.count
    return true
  }

  /// The path of a pattern, and of a list in it.
  private mutating func container(_ group: String?, in parent: Int?) -> String? {
    guard let parent else { return group }
    let above = steps[parent].path
    let known = above.utf8.count < min(pathRoom, 16_384) ? above : "…"
    let container = group.map { "\(known)/\($0)" } ?? known
    pathRoom -= container.utf8.count
    return container
  }

  /// Whether a step is a part of a pattern, at any depth.
  func isPart(_ step: Int, of pattern: Int) -> Bool {
    var parent = steps[step].parent
    // Parts follow their pattern.
    while let current = parent, current > pattern { parent = steps[current].parent }
    return parent == pattern
  }

  /// Whether a step is below the run's own step.
  func isBelowOwn(_ step: Int) -> Bool {
    var top = step
    while let parent = steps[top].parent { top = parent }
    return !besideOwn.contains(top)
  }

  func relative(_ time: Int64) -> Int64 { time.subtractingClamped(origin) }

  /// The path of a node's step. The run's own step is identified by its label.
  func path(of node: Int?) -> String {
    guard let node else { return "" }
    return stepOfNode[node].map { steps[$0].path } ?? table.label(of: node)
  }

  /// - Complexity: O(*n* log *n*) in the number of edges, O(n) in the number of steps.
  var edges: [EdgeRecord] {
    let shared = sharedLabels
    func name(of node: Int) -> String {
      guard let step = stepOfNode[node] else { return path(of: node) }
      return shared.contains(steps[step].label) ? steps[step].path : steps[step].label
    }
    return table.edges.map { edge in
      EdgeRecord(from: name(of: edge.from), to: name(of: edge.to), kind: edge.kind)
    }
  }

  /// The labels that several steps have.
  private var sharedLabels: Set<String> {
    var known: Set<String> = Set(minimumCapacity: steps.count)
    return Set(steps.lazy.map(\.label).filter { !known.insert($0).inserted })
  }

  var intervals: [IntervalRecord] {
    // A step can have many intervals, which share its path.
    var paths: [Int: String] = [:]
    func path(of node: Int?) -> String {
      guard let node else { return "" }
      if let path = paths[node] { return path }
      let path = self.path(of: node)
      paths[node] = path
      return path
    }
    let kinds: [(IntervalRecord.Kind, [LaneInterval])] = [
      (.blocked, table.blocking.intervals), (.queued, table.laneWaits),
      (.suspended, table.tasks.suspensions), (.delay, table.delays),
    ]
    let all = kinds.flatMap { kind, intervals in
      intervals.map { interval in
        IntervalRecord(
          kind: kind, step: path(of: interval.node),
          position: interval.node.flatMap { stepOfNode[$0] },
          lane: table.lanes.name(of: interval.lane), from: relative(interval.from),
          to: relative(interval.to))
      }
    }
    // The sort is stable, so intervals with the same start keep their order.
    return all.sorted { $0.from < $1.from }
  }

  var counters: [CounterRecord] {
    (table.counters + table.queuesOfActors).map { counter in
      CounterRecord(
        name: counter.name, step: path(of: counter.node),
        points: counter.points.map { .init(time: relative($0.time), value: $0.value) })
    }
  }
}

extension StepRecord.Outcome {
  package init(_ outcome: TraceEvent.Outcome?) {
    switch outcome {
    case .success, nil: self = .success
    case .failure: self = .failure
    case .cancelled: self = .cancelled
    }
  }
}

extension SpanTable {
  /// Sets the times and the outcome of the step of a node.
  ///
  /// - Parameter origin: the time from which the step's times are counted.
  fileprivate func complete(_ step: inout StepRecord, of node: Int, from origin: Int64) {
    func relative(_ time: Int64) -> Int64 { time.subtractingClamped(origin) }
    let late = lateness(of: node)
    if late != 0 { step.late = late }
    if let blocked = nodes[node].details?.blocked, blocked != 0 { step.blocked = blocked }
    if let started = startTime(of: node) {
      step.started = relative(started)
      // Most steps have none of these times. Setting nil takes time, too.
      if let finished = finishTime(of: node) { step.finished = relative(finished) }
      if let time = timeOfCancellation(node) { step.cancelled = relative(time) }
      if let time = timeout(of: node) { step.timedOut = relative(time) }
      if let time = timeOfKeepingRunning(node) { step.keptRunning = relative(time) }
      step.outcome =
        finishTime(of: node) == nil ? .unfinished : StepRecord.Outcome(nodes[node].outcome)
      if step.outcome == .failure, let reason = nodes[node].details?.reason, !reason.isEmpty {
        step.error = reason
      }
      if step.outcome == .unfinished, let lost = tasks.lost[node], !lost.dependency.isEmpty {
        step.waitsFor = lost.dependency
      }
    } else if nodes[node].isPlace {
      // A place, such as a queue or an actor, neither starts nor completes. It exists from its creation to the end of
      // its last part.
      step.started = step.submitted
      step.finished = relative(endOfLastPart(of: node) ?? submitTime(of: node))
      step.outcome = .success
    } else if isCancelled(node) {
      step.outcome = .cancelled
    } else if mayStillStart(node) {
      step.outcome = .waiting
    }
  }

  // Not inlined: it would retain the nodes for each step, whether or not the step is a place.
  @inline(never) private func endOfLastPart(of place: Int) -> Int64? {
    parts(of: place).compactMap { finishTime(of: $0) }.max()
  }

  /// Whether a step that never started could still start: its pattern has not ended. A place never ends, so it does not
  /// count. A task needs only a thread.
  private func mayStillStart(_ node: Int) -> Bool {
    guard !nodes[node].isTask, let parent = nodes[node].parent else { return true }
    return finishTime(of: parent) == nil && !nodes[parent].isPlace
  }

  /// Whether a step that never started was cancelled, alone or with its pattern.
  private func isCancelled(_ node: Int) -> Bool {
    nodes[node].outcome == .cancelled
      || nodes[node].parent.map { nodes[$0].outcome == .cancelled } ?? false
  }
}
