internal import AsyncPatterns

/// What happens in one process of a trace, told in time order, as the events of a run.
struct ChromeProcessAssembly {
  let identity: Int32
  var name: String?

  private(set) var drafts: [Draft] = []
  private var threads: [Int32: Thread] = [:]
  private var threadNames: [Int32: String] = [:]
  private var tracks: [TrackKey: [Open]] = [:]
  private var lanes = ChromeLanes()
  private var nextSpan: UInt32 = 2
  private var ownSpans: Set<UInt32> = []
  /// The run's own step, of a trace of ours.
  private var ownRoot: UInt32?
  private var foreignLinks: [ForeignLink] = []
  /// When the steps of other programs started and finished.
  private var foreignTimes: [UInt32: (started: Int64, finished: Int64?)] = [:]
  private var first = Int64.max
  private var last = Int64.min

  /// The span of what stands for the whole process, where nobody recorded one.
  private static let root = Span(id: 1)
  /// Deeper than this nothing is told apart: only made-up traces nest so.
  private static let deepest = 200

  /// An event, and what orders it among those of its instant.
  struct Draft {
    let event: TraceEvent
    let order: Int
  }

  /// A slice that has not ended.
  private struct Open {
    let span: UInt32
    /// When it ends, if that is known.
    let end: Int64?
    let name: Int32
    var own: ChromeEvent.Step?
  }

  private struct Thread {
    let lane: Lane
    var open: [Open] = []
    /// How many of them have an end that is told later.
    var begun = 0
    /// From where arrows lead to what begins next.
    var awaited: [(source: UInt32, event: ChromeEvent)] = []
  }

  private struct TrackKey: Hashable {
    let category: Int32
    let identity: Int32
  }

  private struct ForeignLink {
    let source: UInt32
    let target: UInt32
    let lane: Lane
    let time: Int64
  }

  private let isOwn: Bool

  /// - Parameter isOwn: whether this program wrote the trace.
  init(identity: Int32, isOwn: Bool) {
    self.identity = identity
    self.isOwn = isOwn
  }

  /// Whether nothing has begun here.
  var isEmpty: Bool { nextSpan == 2 && ownSpans.isEmpty }

  mutating func nameThread(_ thread: Int32, _ name: String) {
    threadNames[thread] = name
    // Nothing may have begun on a lane of ours that was of use.
    if isOwn { _ = lanes.lane(named: name) }
  }

  private mutating func thread(_ identity: Int32, _ names: ChromeEvent.Names) -> Thread {
    if let known = threads[identity] { return known }
    let name = threadNames[identity] ?? "thread \(names[identity])"
    let thread = Thread(lane: lanes.lane(named: name))
    threads[identity] = thread
    return thread
  }

  private mutating func add(_ event: TraceEvent, on lane: Lane, order: Int? = nil) {
    var event = event
    event.lane = lane
    first = min(first, event.time.nanoseconds)
    last = max(last, event.time.nanoseconds)
    drafts.append(Draft(event: event, order: order ?? drafts.count))
  }

  // MARK: Slices of threads

  /// A slice whose end is known.
  mutating func complete(
    _ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names
  ) -> UInt32? {
    let duration = max(event.duration ?? 0, 0)
    let end = time.addingClamped(duration)
    var thread = thread(event.thread, names)
    threads[event.thread]?.open = []
    defer { threads[event.thread] = thread }
    ChromeProcessAssembly.close(&thread.open, upTo: time)
    if case .step(let step)? = event.arguments {
      switch names[event.category] {
      case "blocked":
        park(step, from: time, to: end, on: thread.lane)
        return nil
      case "wake-up": wake(step, at: time, on: thread.lane)
      case "skipped": submit(step, step.label ?? names[event.name], on: thread.lane)
      default:
        submit(step, step.label ?? names[event.name], on: thread.lane)
        start(step, at: time, on: thread.lane)
        finish(step, at: end, on: thread.lane)
      }
      thread.open.append(Open(span: step.span, end: end, name: event.name))
      return step.span
    }
    let span = startForeign(event, in: thread.open, on: thread.lane, at: time, names)
    // Of what ends at an instant, what began last ends first; and all of it before anything begins there.
    let order = duration > 0 ? -drafts.count : drafts.count
    add(
      .finished(Span(id: span), .success, at: Instant(nanoseconds: end)), on: thread.lane,
      order: order)
    foreignTimes[span]?.finished = end
    thread.open.append(Open(span: span, end: end, name: event.name))
    take(&thread.awaited, to: span, on: thread.lane, at: time)
    return span
  }

  /// A slice whose end is told later.
  mutating func begin(_ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names) -> UInt32 {
    var thread = thread(event.thread, names)
    threads[event.thread]?.open = []
    defer { threads[event.thread] = thread }
    ChromeProcessAssembly.close(&thread.open, upTo: time)
    let span = startForeign(event, in: thread.open, on: thread.lane, at: time, names)
    thread.open.append(Open(span: span, end: nil, name: event.name))
    thread.begun += 1
    take(&thread.awaited, to: span, on: thread.lane, at: time)
    return span
  }

  /// The end of the slice that its thread began last; false if there is none.
  mutating func end(_ event: ChromeEvent, at time: Int64) -> Bool {
    guard var thread = threads[event.thread], thread.begun > 0,
      let index = thread.open.lastIndex(where: { $0.end == nil })
    else { return false }
    threads[event.thread]?.open = []
    defer { threads[event.thread] = thread }
    let span = thread.open[index].span
    thread.open.removeSubrange(index...)
    thread.begun -= 1
    finishForeign(span, at: time, on: thread.lane)
    return true
  }

  /// The slice of a thread that goes on at a time, if there is one.
  mutating func enclosing(_ identity: Int32, at time: Int64) -> UInt32? {
    guard threads[identity] != nil else { return nil }
    while let end = threads[identity]?.open.last?.end, end < time {
      threads[identity]?.open.removeLast()
    }
    return threads[identity]?.open.last?.span
  }

  private static func close(_ open: inout [Open], upTo time: Int64) {
    while let end = open.last?.end, end <= time { open.removeLast() }
  }

  // MARK: Slices of their own tracks

  mutating func beginTrack(
    _ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names
  ) -> UInt32? {
    let lane = thread(event.thread, names).lane
    let key = TrackKey(category: event.category, identity: event.identity)
    if case .step(let step)? = event.arguments {
      switch names[event.category] {
      case "blocked":
        add(.blocked(Span(id: step.span), at: Instant(nanoseconds: time)), on: lane, order: .max)
      case "wake-up": wake(step, at: time, on: lane)
      default:
        submit(step, step.label ?? names[event.name], on: lane)
        if step.outcome != .skipped { start(step, at: time, on: lane) }
      }
      tracks[key, default: []].append(
        Open(span: step.span, end: nil, name: event.name, own: step))
      return step.span
    }
    // How long a step waited, which its submission tells, too.
    if isOwn, names[event.category] == "queued" { return nil }
    let span = startForeign(event, in: tracks[key] ?? [], on: lane, at: time, names)
    tracks[key, default: []].append(Open(span: span, end: nil, name: event.name))
    return span
  }

  mutating func endTrack(
    _ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names
  ) -> Bool {
    let key = TrackKey(category: event.category, identity: event.identity)
    // The innermost of that name, as far as anybody nests them.
    guard var open = tracks.removeValue(forKey: key), !open.isEmpty else {
      return isOwn
    }
    let ended = open.remove(
      at: open.suffix(64).lastIndex { $0.name == event.name } ?? open.count - 1)
    if !open.isEmpty { tracks[key] = open }
    let lane = thread(event.thread, names).lane
    if let step = ended.own {
      switch names[event.category] {
      case "blocked":
        guard step.outcome != .unfinished else { break }
        add(.unblocked(Span(id: step.span), at: Instant(nanoseconds: time)), on: lane, order: .min)
      case "wake-up": break
      default: if step.outcome != .skipped { finish(step, at: time, on: lane) }
      }
    } else {
      finishForeign(ended.span, at: time, on: lane)
    }
    return true
  }

  // MARK: Steps of other programs

  private mutating func startForeign(
    _ event: ChromeEvent, in open: [Open], on lane: Lane, at time: Int64,
    _ names: ChromeEvent.Names
  ) -> UInt32 {
    let span = Span(id: nextSpan)
    nextSpan += 1
    let parent =
      open.isEmpty
      ? Self.root : Span(id: open[min(open.count, Self.deepest) - 1].span)
    let category = names[event.category]
    let kind = category.isEmpty ? "slice" : category
    let instant = Instant(nanoseconds: time)
    add(
      .submitted(span, in: parent, label: names[event.name], kind: kind, at: instant), on: lane)
    add(.started(span, at: instant), on: lane)
    foreignTimes[span.id] = (time, nil)
    return span.id
  }

  private mutating func finishForeign(_ span: UInt32, at time: Int64, on lane: Lane) {
    let isInstant = foreignTimes[span]?.started == time
    foreignTimes[span]?.finished = time
    let order = isInstant ? drafts.count : -drafts.count
    add(
      .finished(Span(id: span), .success, at: Instant(nanoseconds: time)), on: lane, order: order)
  }

  // MARK: Steps of ours

  private mutating func submit(_ step: ChromeEvent.Step, _ label: String, on lane: Lane) {
    guard ownSpans.insert(step.span).inserted else { return }
    if step.parent == nil, ownRoot == nil { ownRoot = step.span }
    let span = Span(id: step.span)
    let time = Instant(nanoseconds: step.submitted)
    add(
      .submitted(
        span, in: Span(id: step.parent ?? 0), label: label, kind: step.pattern, at: time),
      on: lane, order: step.order.first)
    if let list = step.list {
      add(.listed(span, in: list, at: time), on: lane, order: step.order.first)
    }
  }

  private mutating func start(_ step: ChromeEvent.Step, at time: Int64, on lane: Lane) {
    add(
      .started(Span(id: step.span), at: Instant(nanoseconds: time)), on: lane,
      order: step.order.dropFirst().first)
  }

  private mutating func finish(_ step: ChromeEvent.Step, at time: Int64, on lane: Lane) {
    let span = Span(id: step.span)
    let instant = Instant(nanoseconds: time)
    let order = step.order.dropFirst(2).first
    if step.work > 0 {
      add(.worked(span, for: .nanoseconds(step.work), at: instant), on: lane, order: order)
    }
    let outcome: TraceEvent.Outcome
    switch step.outcome {
    case .success: outcome = .success
    case .failure: outcome = .failure
    case .cancelled: outcome = .cancelled
    case .unfinished, .skipped: return
    }
    add(
      .finished(
        span, outcome, because: step.error, saysAllHaveEnded: step.waitsForAll, at: instant),
      on: lane, order: order)
  }

  private mutating func park(_ step: ChromeEvent.Step, from: Int64, to: Int64, on lane: Lane) {
    let span = Span(id: step.span)
    add(.blocked(span, at: Instant(nanoseconds: from)), on: lane, order: .max)
    guard step.outcome != .unfinished else {
      last = max(last, to)
      return
    }
    add(
      .unblocked(span, at: Instant(nanoseconds: to)), on: lane, order: from == to ? .max : .min)
  }

  /// An edge that has no arrow, such as one to the run's own step.
  private mutating func wake(_ step: ChromeEvent.Step, at time: Int64, on lane: Lane) {
    guard let source = step.source, let edge = step.edge else { return }
    add(
      .edge(
        TraceEvent.Edge(edge), from: Span(id: source), to: Span(id: step.span),
        at: Instant(nanoseconds: time)), on: lane, order: step.order.first)
  }

  // MARK: Arrows, counters and marks

  mutating func link(
    _ source: UInt32, _ target: UInt32, _ kind: EdgeRecord.Kind?, _ event: ChromeEvent,
    at time: Int64, _ names: ChromeEvent.Names
  ) {
    let lane = thread(event.thread, names).lane
    guard let kind, isOwn else {
      return foreignLinks.append(
        ForeignLink(source: source, target: target, lane: lane, time: time))
    }
    var order: Int?
    if case .order(let position)? = event.arguments { order = position }
    add(
      .edge(
        TraceEvent.Edge(kind), from: Span(id: source), to: Span(id: target),
        at: Instant(nanoseconds: time)), on: lane, order: order)
  }

  /// An arrow leads to whatever begins next on the thread.
  mutating func awaitNext(
    _ event: ChromeEvent, from source: UInt32, _ names: ChromeEvent.Names
  ) {
    _ = thread(event.thread, names)
    threads[event.thread]?.awaited.append((source, event))
  }

  private mutating func take(
    _ awaited: inout [(source: UInt32, event: ChromeEvent)], to span: UInt32, on lane: Lane,
    at time: Int64
  ) {
    for arrow in awaited {
      foreignLinks.append(
        ForeignLink(source: arrow.source, target: span, lane: lane, time: time))
    }
    awaited = []
  }

  mutating func mark(_ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names) {
    let lane = thread(event.thread, names).lane
    let name = names[event.name]
    let instant = Instant(nanoseconds: time)
    if case .step(let step)? = event.arguments {
      let span = Span(id: step.span)
      let mark: TraceEvent =
        names[event.category] == "misuse"
        ? .misuse(name, step.detail, of: span, at: instant)
        : .mark(name, step.detail, of: span, at: instant)
      return add(mark, on: lane, order: step.order.first)
    }
    var detail = ""
    if case .detail(let text)? = event.arguments { detail = text }
    let key = TrackKey(category: event.category, identity: event.identity)
    let span =
      event.phase == UInt8(ascii: "n")
      ? tracks[key]?.last?.span : enclosing(event.thread, at: time)
    add(.mark(name, detail, of: Span(id: span ?? 0), at: instant), on: lane)
  }

  mutating func count(_ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names) {
    guard case .numbers(let numbers)? = event.arguments else { return }
    let lane = thread(event.thread, names).lane
    let name = names[event.name]
    for (series, number) in numbers {
      let title = series == "value" || series == name ? name : "\(name) \(series)"
      add(
        .counter(
          title, number, of: ownRoot.map { Span(id: $0) } ?? Self.root,
          at: Instant(nanoseconds: time)), on: lane)
    }
  }

  // MARK: The run

  /// What can be told only when all has been read.
  mutating func finish() {
    for link in foreignLinks {
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
    foreignTimes = [:]
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
      value: header?.value ?? .none, error: header?.error,
      end: header.flatMap { header in
        outcome == .unfinished && !isTruncated
          ? Instant(nanoseconds: first.addingClamped(header.makespan)) : nil
      },
      dropped: header?.dropped ?? 0, overhead: header?.overhead.map { .nanoseconds($0) })
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
    for (lane, name) in lanes.all { events.append(.laneName(name, of: lane, at: first)) }
    let sorted = drafts.indices.sorted { left, right in
      let (one, other) = (drafts[left], drafts[right])
      if one.event.time != other.event.time { return one.event.time < other.event.time }
      return (one.order, left) < (other.order, right)
    }
    for index in sorted { events.append(drafts[index].event) }
    if ownRoot == nil, !isTruncated {
      var end = TraceEvent.finished(Self.root, .success, at: last)
      end.lane = lanes.all.first?.lane ?? .main
      events.append(end)
    }
    return events
  }
}

extension TraceEvent.Edge {
  fileprivate init(_ kind: EdgeRecord.Kind) {
    switch kind {
    case .spawned: self = .spawned
    case .dependency: self = .dependency
    case .resolvedBy: self = .resolvedBy
    case .woke: self = .woke
    case .permitFrom: self = .permitFrom
    }
  }
}
