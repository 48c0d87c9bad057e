import AsyncRuntime
import TraceModel

extension SavedRun {
  /// The part of the run that ended with it and lasted `duration`. Spans that had ended before are left out. Spans that
  /// had not ended seem to be submitted at the start of the part, and to be in the state that they had then.
  ///
  /// - Complexity: O(*n*) in the number of events, without the analysis of the part.
  package func lastPart(_ duration: Duration) -> SavedRun {
    guard duration < .nanoseconds(record.makespan) else { return self }
    let all = events
    let start = (all.first?.time ?? .zero).advanced(by: .nanoseconds(record.makespan) - duration)
    let part = LastPart(of: all, since: start)
    var run = self
    run.events = part.events
    run.record = RunRecord(
      events: part.events, name: record.name, clock: record.clock, seed: record.seed,
      outcome: record.outcome, value: record.value, start: start,
      end: start.advanced(by: duration), dropped: record.dropped)
    run.record.error = record.error
    run.record.isIncomplete = record.isIncomplete
    return run
  }
}

/// The events since a time, after events that repeat what was true at that time.
private struct LastPart {
  private(set) var events: [TraceEvent] = []

  /// The events that repeat what was true at the start; nil for what no longer was.
  private var repeated: [TraceEvent?] = []
  private let start: Instant
  /// The span of the whole run.
  private let root: Span
  /// The spans that had ended at the start.
  private let ended: Set<Span>
  private var labels: Set<String> = []
  private var states: [Span: State] = [:]

  /// The positions in `repeated` of what later events may change or end.
  private struct State {
    var start: Int?
    var suspension: Int?
    var blocking: Int?
  }

  init(of all: [TraceEvent], since start: Instant) {
    self.start = start
    root = all.first?.span ?? .none
    ended = Set(all.lazy.filter { $0.kind == .finished && $0.time < start }.map(\.span))
    for event in all where event.time < start && !ended.contains(event.span) { repeatIt(event) }
    events = repeated.compactMap(\.self)
    repeated = []
    for event in all where event.time >= start && !ended.contains(event.span) {
      events.append(atStart(event))
    }
  }

  /// Repeats an event unless a later one ends what it says.
  private mutating func repeatIt(_ event: TraceEvent) {
    let span = event.span
    switch event.kind {
    case .submitted:
      labels.insert(event.name)
      add(event)
    case .listed, .cancelled: add(event)
    case .mark:
      switch event.role {
      case .laneName, .spanName: add(event)
      case .lowPriority, .normalPriority, .highPriority:
        if labels.contains(event.detail) { add(event) }
      default: break
      }
    case .started: states[span, default: State()].start = add(event)
    case .suspended: states[span, default: State()].suspension = add(event)
    case .blocked: states[span, default: State()].blocking = add(event)
    case .resumed:
      guard let state = states[span] else { return }
      if let index = state.start {
        repeated[index]?.parent = event.parent
        repeated[index]?.lane = event.lane
        if event.role == .unreferenced { repeated[index]?.role = .unreferenced }
      }
      if let index = state.suspension { repeated[index] = nil }
      states[span]?.suspension = nil
    case .unblocked:
      if let index = states[span]?.blocking { repeated[index] = nil }
      states[span]?.blocking = nil
    case .finished, .awaited, .worked, .counter, .misuse: break
    }
  }

  /// - Returns: the position of the event.
  @discardableResult
  private mutating func add(_ event: TraceEvent) -> Int {
    var event = atStart(event)
    event.time = start
    repeated.append(event)
    return repeated.count - 1
  }

  /// The event without anything that happened before the start.
  private func atStart(_ event: TraceEvent) -> TraceEvent {
    var event = event
    if ended.contains(event.parent) { event.parent = event.kind == .submitted ? root : .none }
    event.cause = atStart(event.cause)
    event.after = atStart(event.after)
    let wasReady = event.kind == .started && event.cause.kind == .lane
    if event.since != .zero || wasReady { event.since = max(event.since, start) }
    if [.worked, .resumed].contains(event.kind) {
      let since = start.duration(to: max(event.time, start))
      event.number = min(event.number, Double(since.wholeNanoseconds))
    }
    return event
  }

  private func atStart(_ cause: Cause) -> Cause {
    ended.contains(cause.span) ? Cause(cause.kind, root) : cause
  }
}
