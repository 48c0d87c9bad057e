internal import AsyncPatterns

/// What the events say of each span, and how the spans hang together.
struct SpanTable {
  struct Edge {
    let from: Int
    let to: Int
    let kind: TraceEvent.Edge
    let time: Int64
    /// Where among all events it was recorded.
    let position: Int
  }

  struct Misuse {
    let node: Int?
    let rule: String
    let detail: String
    /// On whose behalf lanes stood parked then, if that is to blame.
    let blockers: [Int]
  }

  /// What one span recorded under one name.
  struct Counter {
    let node: Int?
    let name: String
    var points: [(time: Int64, value: Double)]
  }

  /// In the order in which they were submitted.
  private(set) var nodes: [Node] = []
  private(set) var edges: [Edge] = []
  private(set) var misuses: [Misuse] = []
  /// In the order in which they begin.
  private(set) var counters: [Counter] = []
  private(set) var blocking = BlockedLanes()
  private(set) var laneWaits = LaneWaits()
  private(set) var lanes = LaneNames()
  private(set) var commits = Commits()
  private(set) var displays = Displays()
  private(set) var priorities = Priorities()
  private(set) var work: Int64 = 0
  /// When something last completed.
  private(set) var lastCompletion: Int64?
  private(set) var lastEvent: Int64 = 0
  private(set) var firstEvent: Int64 = 0

  let latency: Latency
  private var positions: SpanPositions
  private var counterPositions: [CounterKey: Int] = [:]

  private struct CounterKey: Hashable {
    let span: Span
    let name: String
  }

  /// - Parameters:
  ///   - events: in time order.
  ///   - clock: by which they have their times.
  init(_ events: [TraceEvent], _ clock: ClockKind) {
    latency = Latency(clock: clock)
    positions = SpanPositions(events)
    firstEvent = events.first?.time.nanoseconds ?? 0
    for (position, event) in events.enumerated() { add(event, at: position) }
    lastEvent = max(lastEvent, firstEvent)
    // What neither started nor ended was left out, and by no timer.
    for index in nodes.indices where nodes[index].started == nil && nodes[index].finished == nil {
      nodes[index].cut = nil
    }
  }

  /// The run's own step. A layer or a queue that was made before it, or without any run, is none.
  var root: Int? { nodes.firstIndex { $0.parent == nil && !SpanTable.isPlace($0.kind) } }

  /// Whether it is what a layer of AsyncRender or a queue of SerialQueue calls itself, which is no step: its parts
  /// are, displays or items.
  static func isPlace(_ kind: String) -> Bool { kind == "layer" || kind == "serial-queue" }

  subscript(span: Span) -> Int? { positions[span] }

  private mutating func add(_ event: TraceEvent, at position: Int) {
    let time = event.time.nanoseconds
    lastEvent = max(lastEvent, time)
    lanes.add(event.lane)
    if event.kind == .submitted { return submit(event, at: position) }
    let node = positions[event.span]
    switch event.kind {
    case .submitted: break
    case .listed:
      guard let node else { return }
      nodes[node].group = event.name
    case .started:
      guard let node, nodes[node].started == nil else { return }
      nodes[node].started = time
      nodes[node].startPosition = position
      nodes[node].startLane = event.lane
      nodes[node].startWait = nodes[node].parent.flatMap { laneWaits.last(of: $0) }
    case .finished:
      lastCompletion = max(lastCompletion ?? time, time)
      guard let node, nodes[node].finished == nil else { return }
      nodes[node].finishLane = event.lane
      nodes[node].finished = time
      nodes[node].finishPosition = position
      nodes[node].outcome = event.outcome
      nodes[node].ending = event.ending
      nodes[node].endsByItself = isByItself(event, of: node)
      noteEnd(ofPart: node)
      nodes[node].cut = settledCut(of: node)
      if let cut = nodes[node].cut, cut.isOutlasted { nodes[node].wentOnSince = cut.time }
      if event.outcome != .success, let cut = nodes[node].cut, !cut.isOutlasted {
        nodes[node].endWait = cut.wait
      }
      if event.ending.contains(.afterWait) { nodes[node].endWait = lastWait(of: node, event) }
      nodes[node].reason = event.detail
    case .blocked:
      blocking.park(event.lane, node, at: time, position)
      guard let node else { return }
      nodes[node].blockLane = event.lane
    case .unblocked:
      blocking.unpark(event.lane, node, at: time, position)
    case .worked:
      let amount = Int64(exactly: event.number.rounded()) ?? 0
      work = work.addingClamped(amount)
      guard let node else { return }
      nodes[node].work = nodes[node].work.addingClamped(amount)
      nodes[node].workLane = event.lane
    case .queued:
      guard let node, nodes[node].finished == nil, let started = nodes[node].started else { return }
      laneWaits.add(event, of: node, since: started, at: position)
    case .edge:
      guard let node, let edge = event.edge, let from = positions[event.other] else { return }
      edges.append(Edge(from: from, to: node, kind: edge, time: time, position: position))
      if nodes[node].started == nil { nodes[node].askPosition = position }
      if edge == .dependency { nodes[from].cut = cut(of: from, at: event, position) }
      if nodes[from].finished != nil { noteFollower(of: from) }
    case .misuse:
      // A second call is a completion too, though one too many.
      if event.name == "completed-twice" { lastCompletion = max(lastCompletion ?? time, time) }
      misuses.append(
        Misuse(
          node: node, rule: event.name, detail: event.detail,
          blockers: event.name == "starvation" ? blocking.parkedNow : []))
    case .counter: count(event, of: node)
    case .mark:
      if event.isLaneName { return lanes.name(event.lane, event.detail) }
      guard let node else { return }
      commits.note(event, of: node, at: position)
      displays.note(event, of: node, at: position)
      if event.name == "will-display" { noteTurn(event, of: node, at: position) }
      if let isLate = event.isTimeoutByLateTimer {
        noteTimeout(event, of: node, isLate: isLate, at: position)
      }
      priorities.note(event, of: node)
    }
  }

  private mutating func count(_ event: TraceEvent, of node: Int?) {
    guard event.number.isFinite else { return }
    let point = (time: event.time.nanoseconds, value: event.number)
    let key = CounterKey(span: event.span, name: event.name)
    if let position = counterPositions[key] {
      counters[position].points.append(point)
    } else {
      counterPositions[key] = counters.count
      counters.append(Counter(node: node, name: event.name, points: [point]))
    }
  }

  private mutating func submit(_ event: TraceEvent, at eventPosition: Int) {
    guard positions[event.span] == nil else { return }
    let parent = positions[event.other]
    let node = Node(
      span: event.span, label: event.name, kind: event.detail, submitted: event.time.nanoseconds,
      parent: parent, submitPosition: eventPosition, askPosition: eventPosition)
    let position = nodes.count
    if let parent {
      if let last = nodes[parent].lastChild {
        nodes[last].nextSibling = position
      } else {
        nodes[parent].firstChild = position
      }
      nodes[parent].lastChild = position
    }
    positions[event.span] = position
    nodes.append(node)
  }

  private mutating func noteTimeout(
    _ mark: TraceEvent, of node: Int, isLate: Bool, at position: Int
  ) {
    let timeout = Timeout(
      time: mark.time.nanoseconds, position: position,
      wait: isLate ? laneWaits.last(on: mark.lane) : nil)
    if nodes[node].finished == nil, nodes[node].timeout == nil { nodes[node].timeout = timeout }
    if let parent = nodes[node].parent { nodes[parent].partTimeout = timeout }
  }

  /// Something comes after the end of a node: of what went on when a timer cut it off that was waited for, then.
  private mutating func noteFollower(of node: Int) {
    guard let cut = nodes[node].cut, cut.isByTimeoutAlone else { return }
    nodes[node].cut = nil
    nodes[node].isWaitedFor = true
  }

  /// A part that never started is the last one only where none has.
  private mutating func noteEnd(ofPart node: Int) {
    guard let parent = nodes[node].parent else { return }
    if let last = nodes[parent].lastEnded, nodes[last].started != nil, nodes[node].started == nil {
      return
    }
    nodes[parent].lastEnded = node
  }

  private mutating func noteTurn(_ mark: TraceEvent, of pattern: Int, at position: Int) {
    guard let display = nodes[pattern].lastChild, nodes[display].label == mark.detail,
      let asked = displays.records[pattern]?.displays.last?.asked
    else { return }
    laneWaits.add(mark, of: display, in: pattern, since: asked, at: position)
  }

  /// Ends what still stands parked, and tells each span how long it stood parked.
  mutating func closeIntervals(at end: Int64) {
    blocking.close(at: end)
    for interval in blocking.intervals {
      guard let node = interval.node else { continue }
      nodes[node].blocked = nodes[node].blocked.addingClamped(interval.length)
      nodes[node].blockCount += 1
      if interval.isOpen { nodes[node].isParked = true }
    }
  }
}

extension Int64 {
  /// The sum, or the nearest there is: what a file says may lie anywhere.
  package func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the nearest there is.
  package func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other > 0 ? .min : .max) : difference
  }
}
