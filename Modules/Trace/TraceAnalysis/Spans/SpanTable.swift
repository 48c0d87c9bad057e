/// The spans of a run, derived from its events, and how they depend on each other.
package struct SpanTable {
  struct Misuse {
    let node: Int?
    let rule: String
    let detail: String
    let time: Int64
    /// The spans for which lanes were blocked at that time, if they are the reason.
    let blockers: [Int]
  }

  /// The values that one span recorded under one name.
  package struct Counter {
    package let node: Int?
    package let name: String
    /// Whether it counts the values in the buffer of a stream.
    package var isOfBuffer = false
    package var points: [(time: Int64, value: Double)]
  }

  /// In the order in which they were submitted.
  package var nodes: [Node] = []
  package var moments = Moments()
  private(set) var misuses: [Misuse] = []
  /// In the order of their first values.
  package private(set) var counters: [Counter] = []
  package private(set) var blocking = BlockedLanes()
  /// The times in which started spans waited for their lanes, ordered by the end of the wait.
  package private(set) var laneWaits: [LaneInterval] = []
  /// The spans whose code requested other spans that are not their parts.
  private(set) var askers: [(asker: Int, node: Int)] = []
  package private(set) var tasks = TaskRuns()
  package private(set) var lanes = LaneNames()
  private(set) var commits = Commits()
  private(set) var displays = Displays()
  private(set) var priorities = Priorities()
  private(set) var work: Int64 = 0
  /// The spans that started with work and have not recorded it yet.
  private var working: Set<Int> = []
  /// The work that no event shows, since it had not ended.
  package private(set) var openWork: [LaneInterval] = []
  /// When a span last completed.
  private(set) var lastCompletion: Int64?
  private(set) var lastEvent: Int64 = 0
  private(set) var firstEvent: Int64 = 0

  /// Whether the run's own step is a pattern, even if the events contain none of its parts.
  var rootHasParts = false

  let clock: ClockKind
  let events: TraceEvents
  private var positions: SpanPositions
  private var counterPositions: [CounterKey: Int] = [:]

  private struct CounterKey: Hashable {
    let span: Span
    let name: String
  }

  /// - Parameters:
  ///   - events: in time order.
  ///   - clock: the clock of their times.
  init(_ events: TraceEvents, _ clock: ClockKind) {
    (self.events, self.clock) = (events, clock)
    positions = SpanPositions(eventCount: events.count)
    // Most spans are submitted, started and finished. Memory that is reserved but not used costs nothing.
    let expected = events.count / 3 + 1
    nodes.reserveCapacity(expected)
    moments.reserveCapacity(nodes: expected, events: events.count)
    firstEvent = events.first?.time.nanoseconds ?? 0
    for position in events.indices { add(events[position], at: position) }
    lastEvent = max(lastEvent, firstEvent)
  }

  /// The nearest ancestor of a step that is not a chain of promises.
  func owner(of node: Int) -> Int? {
    var owner = nodes[node].parent
    while let chain = owner, nodes[chain].isChain { owner = nodes[chain].parent }
    return owner
  }

  /// The run's own step: the first node without a parent that is not a place. A place may be made before the run, or
  /// without one.
  var root: Int? { nodes.firstIndex { $0.parent == nil && !$0.isPlace } }

  package subscript(span: Span) -> Int? { positions[span] }

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
      nodes[node].changeDetails { $0.group = event.name }
    case .awaited:
      guard let node else { return }
      addAwaited(event, by: node)
    case .started:
      guard let node, !hasStarted(node) else { return }
      if event.role == .working { working.insert(node) }
      tasks.start(
        node, isTask: nodes[node].isTask, on: event.lane,
        positions[event.executor], at: time)
      noteTask(event, node)
      addStart(event, of: node, at: position)
    case .suspended:
      guard let node, let started = startTime(of: node), let lane = startLane(of: node),
        finishTime(of: node) == nil
      else { return }
      tasks.suspend(node, for: event.detail, on: event.lane, startedAt: (lane, started), at: time)
    case .resumed:
      guard let node else { return }
      let since = tasks.resume(node, on: event.lane, positions[event.executor], at: time)
      if event.cause.kind == .lane { queue(event, of: node) }
      noteTask(event, node)
      addResumption(event, of: node, at: position, after: since.map(time.subtractingClamped))
    case .cancelled:
      guard let node, finishTime(of: node) == nil, moments.ofCancellation[node] == nil else {
        return
      }
      addCancellation(event, of: node, at: position)
    case .finished:
      lastCompletion = max(lastCompletion ?? time, time)
      guard let node, finishTime(of: node) == nil else { return }
      if !working.isEmpty { working.remove(node) }
      tasks.end(node, at: time)
      nodes[node].outcome = event.outcome
      nodes[node].awaitsAll = event.awaitsAll
      nodes[node].hasTimedOut = event.role == .timedOut
      if !event.detail.isEmpty { nodes[node].changeDetails { $0.reason = event.detail } }
      addFinish(event, of: node, at: position)
    case .blocked:
      blocking.block(event.lane, node, at: time, event.detail)
      guard let node else { return }
      nodes[node].changeDetails { $0.blockLane = event.lane }
    case .unblocked:
      let waker = event.cause.kind == .wakeUp ? positions[event.cause.span] : nil
      let since = blocking.unblock(event.lane, node, at: time, by: waker)
      guard let node else { return }
      addResumption(event, of: node, at: position, after: since.map(time.subtractingClamped))
    case .worked:
      let amount = Int64(exactly: event.number.rounded()) ?? 0
      work = work.addingClamped(amount)
      guard let node else { return }
      if !working.isEmpty { working.remove(node) }
      nodes[node].work = nodes[node].work.addingClamped(amount)
      moments.noteWork(of: node)
      nodes[node].workPosition = position
    case .misuse:
      // A second call is a completion too, although it is one too many.
      if event.name == "completed-twice" { lastCompletion = max(lastCompletion ?? time, time) }
      misuses.append(
        Misuse(
          node: node, rule: event.name, detail: event.detail, time: time,
          blockers: event.name == "starvation" ? blocking.blockedNow : []))
    case .counter: count(event, of: node)
    case .mark:
      if event.isLaneName { return lanes.name(event.lane, event.detail) }
      guard let node else { return }
      note(event, of: node, at: position)
    }
  }

  private mutating func note(_ mark: TraceEvent, of node: Int, at position: Int) {
    switch mark.role {
    case .plain, .place, .task, .chain, .laneName, .buffer, .timedOut, .working,
      .unreferenced:
      break
    case .spanName: nodes[node].changeDetails { $0.name = mark.detail }
    case .committed, .loopWoken, .flushed: commits.note(mark, of: node, at: position)
    case .lowPriority, .normalPriority, .highPriority: priorities.note(mark, of: node)
    case .displayAsked, .displayBegan, .displayFinished, .displayCancelled, .displayFailed,
      .displayReleased:
      displays.note(mark, of: node, at: position)
    }
  }

  /// Stores what a task had waited for when it starts or resumes, and whether any code refers to it.
  private mutating func noteTask(_ event: TraceEvent, _ node: Int) {
    guard nodes[node].isTask else { return }
    nodes[node].isUnreferenced = event.role == .unreferenced
    guard event.cause.kind == .lane, let holder = positions[event.cause.span] else { return }
    let time = event.time.nanoseconds
    let from = time.subtractingClamped(queued(event, of: node))
    tasks.wait(
      TaskRuns.Wait(
        node: node, holder: holder, executor: positions[event.executor], from: from, to: time))
  }

  /// Stores how long the span waited for its lane. The wait begins at the start of the span, or later.
  private mutating func queue(_ event: TraceEvent, of node: Int) {
    let holder = positions[event.cause.span]
    // A span that held the lane itself did not wait for it.
    guard finishTime(of: node) == nil, let started = startTime(of: node), holder != node else {
      return
    }
    let time = event.time.nanoseconds
    let from = time.subtractingClamped(queued(event, of: node))
    laneWaits.append(
      LaneInterval(
        node: node, lane: event.lane, from: min(max(from, started), time), to: time,
        ender: holder))
  }

  private mutating func count(_ event: TraceEvent, of node: Int?) {
    guard event.number.isFinite else { return }
    let point = (time: event.time.nanoseconds, value: event.number)
    let key = CounterKey(span: event.span, name: event.name)
    if let position = counterPositions[key] {
      counters[position].points.append(point)
    } else {
      counterPositions[key] = counters.count
      counters.append(
        Counter(
          node: node, name: event.name, isOfBuffer: event.role == .buffer, points: [point]))
    }
  }

  private mutating func submit(_ event: TraceEvent, at eventPosition: Int) {
    guard positions[event.span] == nil else { return }
    let parent = positions[event.parent]
    let node = Node(event, at: eventPosition, parent: parent)
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
    nodes.append(consume node)
    moments.addNode()
    if event.cause.kind == .parent, let asker = positions[event.cause.span] {
      askers.append((asker, position))
      moments.await(moments.last(of: asker), .parent, by: position)
    }
  }

  /// Ends all open intervals, and computes for each span how long a lane was blocked for it.
  mutating func closeIntervals(at end: Int64) {
    blocking.close(at: end)
    tasks.close(at: end)
    openWork = working.sorted().compactMap { node in
      guard let started = startTime(of: node), let lane = startLane(of: node), started < end else {
        return nil
      }
      return LaneInterval(node: node, lane: lane, from: started, to: end, isOpen: true)
    }
    for interval in openWork {
      guard let node = interval.node else { continue }
      work = work.addingClamped(interval.length)
      nodes[node].work = nodes[node].work.addingClamped(interval.length)
    }
    for interval in blocking.intervals {
      guard let node = interval.node else { continue }
      let call = blocking.call(of: interval)
      nodes[node].changeDetails { $0.noteBlockage(interval, call) }
    }
  }
}
