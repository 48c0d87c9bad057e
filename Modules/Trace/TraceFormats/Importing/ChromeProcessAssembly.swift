/// Makes the events of a run from the events of one process of a trace. The events must come in time order.
struct ChromeProcessAssembly {
  let identity: Int32
  var name: String?

  var threads: [Int32: Thread] = [:]
  var threadNames: [Int32: String] = [:]
  var tracks: [TrackKey: [Open]] = [:]
  var nextSpan = firstSlice
  var causes = InferredCauses(first: firstSlice)
  private var drafts: [Draft] = []
  /// The lanes in order of appearance.
  private var lanes: [(lane: Lane, name: String)] = []
  private var lanesByName: [String: Lane] = [:]
  private var first = Int64.max
  private var last = Int64.min

  /// Represents the whole process, which a trace does not record.
  static let root = Span(id: 1)
  private static let kind = "process"
  private static let firstSlice = Span(id: 2)

  /// An event, and its order among the events of the same instant.
  private struct Draft {
    let event: TraceEvent
    let order: Int
  }

  /// A slice that has not ended.
  struct Open {
    let span: Span
    /// When it ends, if known.
    let end: Int64?
    let name: Int32
    /// The last slice that started within it.
    var lastPart = Span.none
  }

  struct Thread {
    let lane: Lane
    var open: [Open] = []
    /// How many of the open slices have an end that comes later in the file.
    var begun = 0
    /// The slices from which arrows lead to the next slice.
    var arrowSources: [Span] = []
  }

  struct TrackKey: Hashable {
    let category: Int32
    let identity: Int32
  }

  init(identity: Int32) { self.identity = identity }

  /// Whether a slice has started and not ended. It is known only at the end of the file.
  var hasOpenSlices: Bool { threads.values.contains { $0.begun > 0 } || !tracks.isEmpty }

  /// Whether no slice has started here.
  var isEmpty: Bool { nextSpan == Self.firstSlice }

  mutating func thread(_ identity: Int32, _ names: ChromeEvent.Names) -> Thread {
    if let known = threads[identity] { return known }
    let name = threadNames[identity] ?? "thread \(names[identity])"
    let thread = Thread(lane: lane(named: name))
    threads[identity] = thread
    return thread
  }

  /// The lane for threads with this name.
  private mutating func lane(named name: String) -> Lane {
    if let known = lanesByName[name] { return known }
    let lane = name == "main" ? Lane.main : Lane(number: UInt32(lanes.count + 1))
    lanesByName[name] = lane
    lanes.append((lane, name))
    return lane
  }

  mutating func add(_ event: TraceEvent, on lane: Lane) {
    var event = event
    event.lane = lane
    first = min(first, event.time.nanoseconds)
    last = max(last, event.time.nanoseconds)
    // At the same instant, the ends of slices that started earlier come before all other events. These ends are in the
    // reverse of the order in which they were added. An end that is known in advance is added when its slice starts.
    // So, of the slices with such ends, the one that started last ends first.
    let endsEarlier =
      event.kind == .finished && causes.start(of: event.span) != event.time.nanoseconds
    drafts.append(Draft(event: event, order: endsEarlier ? -drafts.count : drafts.count))
  }

  // MARK: - The run

  /// - Parameter isTruncated: whether more may have happened than the file contains.
  func run(named name: String, isTruncated: Bool) -> SavedRun {
    let events = events(named: name, isTruncated: isTruncated)
    var record = RunRecord(
      name: name, pattern: Self.kind, clock: .live, outcome: isTruncated ? .unfinished : .success)
    if isTruncated { record.error = "the trace ends in the middle: its complete events are here" }
    record.isIncomplete = isTruncated
    record.causesAreInferred = true
    record.derive(from: TraceEvents(events))
    return SavedRun(name: name, source: "", composition: "", record: record, events: events)
  }

  private func events(named name: String, isTruncated: Bool) -> [TraceEvent] {
    var events: [TraceEvent] = []
    events.reserveCapacity(drafts.count + drafts.count / 4 + 8)
    let (first, last) = (Instant(nanoseconds: first), Instant(nanoseconds: last))
    func add(_ event: TraceEvent) {
      var event = event
      event.lane = lanes.first?.lane ?? .main
      causes.append(event, to: &events)
    }
    add(.submitted(Self.root, in: .none, label: name, kind: Self.kind, at: first))
    add(.started(Self.root, at: first))
    for (lane, name) in lanes { events.append(.laneName(name, of: lane, at: first)) }
    let sorted = drafts.indices.sorted { left, right in
      let (one, other) = (drafts[left], drafts[right])
      if one.event.time != other.event.time { return one.event.time < other.event.time }
      return (one.order, left) < (other.order, right)
    }
    for index in sorted { causes.append(drafts[index].event, to: &events) }
    if !isTruncated { add(.finished(Self.root, .success, at: last)) }
    return events
  }
}
