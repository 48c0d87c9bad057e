import TimingTrace

/// Events written by hand: spans by label, times in milliseconds.
struct EventScript {
  private(set) var events: [TraceEvent] = []
  private var spans: [String: Span] = [:]
  private var count: UInt32 = 0
  /// The lane of what is written next.
  var lane = Lane(number: 7)

  init() {}

  /// A pattern that has begun, and has got its steps.
  init(_ key: String, _ kind: String, steps: [String], at time: Int64 = 0) {
    submit(key, kind, at: time)
    start(key, at: time)
    for step in steps { submit(step, in: key, at: time) }
  }

  mutating func submit(
    _ key: String, _ kind: String = "sleep", in parent: String? = nil, label: String? = nil,
    group: String? = nil, at time: Int64
  ) {
    count += 1
    let span = Span(id: count)
    spans[key] = span
    add(
      .submitted(
        span, in: parent.map { self[$0] } ?? .none, label: label ?? key, kind: kind, at: ms(time)))
    if let group { add(.listed(span, in: group, at: ms(time))) }
  }

  mutating func start(_ key: String, at time: Int64) { add(.started(self[key], at: ms(time))) }

  mutating func finish(
    _ key: String, _ outcome: TraceEvent.Outcome = .success, because reason: String = "",
    ending: TraceEvent.Ending = [], at time: Int64
  ) {
    add(
      .finished(
        self[key], outcome, because: reason, ending: ending, at: ms(time)))
  }

  mutating func edge(_ edge: TraceEvent.Edge, _ from: String, _ to: String, at time: Int64) {
    add(.edge(edge, from: self[from], to: self[to], at: ms(time)))
  }

  mutating func block(_ key: String, at time: Int64) { add(.blocked(self[key], at: ms(time))) }
  mutating func unblock(_ key: String, at time: Int64) { add(.unblocked(self[key], at: ms(time))) }

  mutating func work(_ key: String, for duration: Int64, at time: Int64) {
    add(.worked(self[key], for: .milliseconds(duration), at: ms(time)))
  }

  mutating func queue(_ key: String, since due: Int64, at time: Int64) {
    add(.queued(self[key], since: ms(due), at: ms(time)))
  }

  mutating func misuse(_ rule: String, _ key: String, at time: Int64) {
    add(.misuse(rule, "“\(key)” did it", of: self[key], at: ms(time)))
  }

  mutating func counter(_ name: String, _ number: Double, of key: String, at time: Int64) {
    add(.counter(name, number, of: self[key], at: ms(time)))
  }

  mutating func mark(_ name: String, _ detail: String = "", of key: String, at time: Int64) {
    add(.mark(name, detail, of: self[key], at: ms(time)))
  }

  subscript(key: String) -> Span { spans[key] ?? .none }

  private mutating func add(_ event: TraceEvent) {
    var event = event
    event.lane = lane
    events.append(event)
  }

  private func ms(_ time: Int64) -> Instant { Instant(nanoseconds: time * 1_000_000) }

  func record(
    name: String = "run", outcome: RunRecord.Outcome = .success, end: Int64? = nil
  ) -> RunRecord {
    RunRecord(
      events: events, name: name, clock: .virtual, outcome: outcome, end: end.map(ms))
  }
}

extension Int64 {
  /// The number of milliseconds in nanoseconds.
  static func ms(_ milliseconds: Int64) -> Int64 { milliseconds * 1_000_000 }
}
