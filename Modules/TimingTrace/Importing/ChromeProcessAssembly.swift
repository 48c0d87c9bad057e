internal import AsyncPatterns

/// What happens in one process of a trace, told in time order, as the events of a run.
struct ChromeProcessAssembly {
  let identity: Int32
  var name: String?

  var drafts: [Draft] = []
  var threads: [Int32: Thread] = [:]
  var threadNames: [Int32: String] = [:]
  var tracks: [TrackKey: [Open]] = [:]
  var lanes = ChromeLanes()
  var nextSpan: UInt32 = 2
  var ownSpans: Set<UInt32> = []
  /// The run's own step, of a trace of ours.
  var ownRoot: UInt32?
  var foreignLinks: [ForeignLink] = []
  /// From what a thread did before to what it did then.
  var turns: [ForeignLink] = []
  /// When the steps of other programs started and finished.
  var foreignTimes: [UInt32: (started: Int64, finished: Int64?)] = [:]
  var first = Int64.max
  var last = Int64.min

  /// The span of what stands for the whole process, where nobody recorded one.
  static let root = Span(id: 1)
  /// Deeper than this nothing is told apart: only made-up traces nest so.
  static let deepest = 200

  /// An event, and what orders it among those of its instant.
  struct Draft {
    let event: TraceEvent
    let order: Int
  }

  /// A slice that has not ended.
  struct Open {
    let span: UInt32
    /// When it ends, if that is known.
    let end: Int64?
    let name: Int32
    /// What began within it last, of another program's slices on a thread.
    var lastPart: UInt32?
    var own: ChromeEvent.Step?
  }

  struct Thread {
    let lane: Lane
    var open: [Open] = []
    /// How many of them have an end that is told later.
    var begun = 0
    /// From where arrows lead to what begins next.
    var awaited: [(source: UInt32, event: ChromeEvent)] = []
  }

  struct TrackKey: Hashable {
    let category: Int32
    let identity: Int32
  }

  struct ForeignLink {
    let source: UInt32
    let target: UInt32
    /// What an arrow has in common with another one between the two.
    var ends: UInt64 { UInt64(source) << 32 | UInt64(target) }
    let lane: Lane
    let time: Int64
  }

  let isOwn: Bool

  /// - Parameter isOwn: whether this program wrote the trace.
  init(identity: Int32, isOwn: Bool) {
    self.identity = identity
    self.isOwn = isOwn
  }

  /// Whether something has begun and not ended, which only who has read all of the file can tell.
  private(set) var hasOpenSlices = false

  /// Whether nothing has begun here.
  var isEmpty: Bool { nextSpan == 2 && ownSpans.isEmpty }

  mutating func nameThread(_ thread: Int32, _ name: String) {
    threadNames[thread] = name
    // Nothing may have begun on a lane of ours that was of use.
    if isOwn { _ = lanes.lane(named: name) }
  }

  mutating func thread(_ identity: Int32, _ names: ChromeEvent.Names) -> Thread {
    if let known = threads[identity] { return known }
    let name = threadNames[identity] ?? "thread \(names[identity])"
    let thread = Thread(lane: lanes.lane(named: name))
    threads[identity] = thread
    return thread
  }

  mutating func add(_ event: TraceEvent, on lane: Lane, order: Int? = nil) {
    var event = event
    event.lane = lane
    first = min(first, event.time.nanoseconds)
    last = max(last, event.time.nanoseconds)
    drafts.append(Draft(event: event, order: order ?? drafts.count))
  }

  // MARK: The run

  /// What can be told only when all has been read.
  mutating func finish() {
    let arrows = Set(foreignLinks.map(\.ends))
    for link in foreignLinks + turns.filter({ !arrows.contains($0.ends) }) {
      let hadEnded =
        if let end = foreignTimes[link.source]?.finished,
          let start = foreignTimes[link.target]?.started
        { end <= start } else { false }
      // An edge comes before what it leads to.
      add(
        .edge(
          hadEnded ? .dependency : .spawned, from: Span(id: link.source),
          to: Span(id: link.target), at: Instant(nanoseconds: link.time)), on: link.lane)
    }
    foreignLinks = []
    turns = []
    foreignTimes = [:]
    hasOpenSlices = threads.values.contains { $0.begun > 0 } || !tracks.isEmpty
    threads = [:]
    tracks = [:]
  }

  /// - Parameter isTruncated: whether more may have happened than the file has.
  func run(
    named name: String, _ header: ChromeRunHeaders.Header?, isTruncated: Bool
  ) -> SavedRun {
    let events = events(named: name, isTruncated: isTruncated)
    let isOwn = ownRoot != nil
    let header = isOwn ? header : nil
    let outcome = isTruncated ? .unfinished : header?.outcome ?? .success
    var record = RunRecord(
      events: events, name: header?.title ?? name, pattern: header?.pattern,
      clock: header?.clock ?? .live, seed: header?.seed ?? 0, outcome: outcome,
      value: header?.value ?? .none,
      error: isTruncated ? "the trace ends in the middle: what it has is here" : header?.error,
      start: nil,
      end: header.flatMap { header in
        outcome == .unfinished && !isTruncated
          ? Instant(nanoseconds: first.addingClamped(header.makespan)) : nil
      }, lasting: nil,
      dropped: header?.dropped ?? 0, overhead: header?.overhead.map { .nanoseconds($0) },
      isCutOff: isTruncated || header?.isCutOff ?? false)
    record.standstill = header?.standstill
    return SavedRun(
      name: header?.name ?? name, source: header?.source ?? "",
      composition: header?.composition ?? "", script: header?.script, workers: header?.workers,
      record: record, events: events)
  }

  private func events(named name: String, isTruncated: Bool) -> [TraceEvent] {
    var events: [TraceEvent] = []
    events.reserveCapacity(drafts.count + 8)
    let (first, last) = (Instant(nanoseconds: first), Instant(nanoseconds: last))
    if ownRoot == nil {
      events.append(.submitted(Self.root, in: .none, label: name, kind: "process", at: first))
      events.append(.started(Self.root, at: first))
      let lane = lanes.all.first?.lane ?? .main
      for index in events.indices { events[index].lane = lane }
    }
    let sorted = drafts.indices.sorted { left, right in
      let (one, other) = (drafts[left], drafts[right])
      if one.event.time != other.event.time { return one.event.time < other.event.time }
      return (one.order, left) < (other.order, right)
    }
    if !areLanesNamed(sorted) {
      for (lane, name) in lanes.all { events.append(.laneName(name, of: lane, at: first)) }
    }
    for index in sorted { events.append(drafts[index].event) }
    if ownRoot == nil, !isTruncated {
      var end = TraceEvent.finished(Self.root, .success, at: last)
      end.lane = lanes.all.first?.lane ?? .main
      events.append(end)
    }
    return events
  }

  /// Whether the lanes have the names that they get by the order in which they appear.
  private func areLanesNamed(_ sorted: [Int]) -> Bool {
    guard ownRoot != nil else { return false }
    var names = LaneNames()
    for index in sorted { names.add(drafts[index].event.lane) }
    return names.all.count == lanes.all.count
      && lanes.all.allSatisfy { names.name(of: $0.lane) == $0.name }
  }
}
