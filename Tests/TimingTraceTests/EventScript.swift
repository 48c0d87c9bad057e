import TimingTrace

/// Events written by hand: spans by label, times in milliseconds.
struct EventScript {
  private(set) var events: [TraceEvent] = []
  private var spans: [String: Span] = [:]
  private var parents: [Span: Span] = [:]
  private var patterns: Set<Span> = []
  /// The part that ended last, by pattern.
  private var lastEnds: [Span: Span] = [:]
  /// The cause of the cancellation, by span that was cancelled and kept running.
  private var cancellers: [Span: Cause] = [:]
  private var count: UInt32 = 0
  /// The lane of the events written next.
  var lane = Lane(number: 7)

  /// The cause of an event: its kind, and the span that caused it.
  typealias Reason = (kind: Cause.Kind, span: String)

  init() {}

  /// Starts with a pattern that has started and submitted its steps.
  init(_ key: String, _ kind: String, steps: [String], at time: Int64 = 0) {
    submit(key, kind, at: time)
    start(key, at: time)
    for step in steps { submit(step, in: key, at: time) }
  }

  mutating func submit(
    _ key: String, _ kind: String = "sleep", role: TraceEvent.Role = .plain,
    in parent: String? = nil, label: String? = nil, group: String? = nil, by asker: String? = nil,
    at time: Int64
  ) {
    count += 1
    let span = Span(id: count)
    spans[key] = span
    let pattern = parent.map { self[$0] } ?? .none
    parents[span] = pattern
    patterns.insert(pattern)
    let asker = asker.map { self[$0] } ?? .none
    add(
      .submitted(
        span, in: pattern, label: label ?? key, kind: kind, role: role, by: asker, at: ms(time)))
    if let group { add(.listed(span, in: group, at: ms(time))) }
  }

  /// The span has awaited the given cause, and starts later.
  mutating func await(_ key: String, _ reason: Reason, at time: Int64) {
    add(.awaited(self[key], cause(reason), at: ms(time)))
  }

  mutating func start(_ key: String, because reason: Reason? = nil, at time: Int64) {
    add(.started(self[key], because: reason.map(cause) ?? .itself, at: ms(time)))
  }

  /// The span starts with work.
  mutating func startWork(_ key: String, at time: Int64) {
    add(.started(self[key], role: .working, at: ms(time)))
  }

  /// The span starts after the ends of other spans; the end of the last one is the cause.
  mutating func start(_ key: String, after sources: String..., at time: Int64) {
    for source in sources.dropLast() { self.await(key, (.end, source), at: time) }
    start(key, because: sources.last.map { (.end, $0) }, at: time)
  }

  /// The span starts when `holder` releases the lane. The span has waited for the lane since it was ready.
  mutating func start(
    _ key: String, because reason: Reason, ready: Int64, behind holder: String, at time: Int64
  ) {
    add(
      .started(
        self[key], because: cause(reason), ready: ms(ready), behind: self[holder], at: ms(time)))
  }

  /// - Parameters:
  ///   - reason: the cause; by default, a pattern ends because of its last part.
  ///   - cancelled: the time at which it was cancelled, if it was.
  ///   - hasTimedOut: whether its own timer ran out.
  ///   - awaitsAll: whether the pattern promises that all of its steps have ended.
  mutating func finish(
    _ key: String, _ outcome: TraceEvent.Outcome = .success, because reason: Reason? = nil,
    cancelled: Int64? = nil, error: String = "", hasTimedOut: Bool = false,
    awaitsAll: Bool = true, at time: Int64
  ) {
    let span = self[key]
    let lastPart = lastEnds[span].map { Cause(.end, $0) }
    if let parent = parents[span], outcome != .cancelled { lastEnds[parent] = span }
    add(
      .finished(
        span, outcome, because: reason.map(cause) ?? lastPart ?? .itself,
        cancelled: cancelled.map {
          (by: reason.map(cause) ?? cancellers[span] ?? .itself, at: ms($0))
        }, reason: error,
        hasTimedOut: hasTimedOut, awaitsAll: awaitsAll && patterns.contains(span), at: ms(time)))
  }

  /// The span is cancelled and keeps running.
  mutating func cancel(_ key: String, by canceller: String, at time: Int64) {
    let cause = Cause(.cancellation, self[canceller])
    cancellers[self[key]] = cause
    add(.cancelled(self[key], because: cause, at: ms(time)))
  }

  mutating func suspend(_ key: String, at time: Int64) {
    add(.suspended(self[key], at: ms(time)))
  }

  mutating func resume(_ key: String, because reason: Reason, at time: Int64) {
    add(.resumed(self[key], because: cause(reason), at: ms(time)))
  }

  /// A timer of the span fires.
  mutating func resume(
    _ key: String, byTimerSet set: Int64, because reason: Reason? = nil, at time: Int64
  ) {
    add(
      .resumed(
        self[key], byTimerSet: ms(set), because: reason.map(cause) ?? .itself, at: ms(time)))
  }

  /// The span continues when `holder` releases the lane. The span has waited for the lane since `due`.
  ///
  /// - Parameter set: the time at which the timer that fired then was set; nil if there was none.
  mutating func resume(
    _ key: String, behind holder: String, since due: Int64, timerSet set: Int64? = nil,
    because reason: Reason? = nil, at time: Int64
  ) {
    add(
      .resumed(
        self[key], behind: self[holder], due: ms(due), set: ms(set ?? due),
        because: reason.map(cause) ?? .itself, at: ms(time)))
  }

  /// - Parameter call: the call that blocks the lane, such as “in usleep”.
  mutating func block(_ key: String, _ call: String = "", at time: Int64) {
    var event = TraceEvent.blocked(self[key], at: ms(time))
    event.detail = call
    add(event)
  }
  mutating func unblock(_ key: String, by waker: String? = nil, at time: Int64) {
    let cause = waker.map { Cause(.wakeUp, self[$0]) } ?? .itself
    add(.unblocked(self[key], because: cause, at: ms(time)))
  }

  mutating func work(_ key: String, for duration: Int64, at time: Int64) {
    add(.worked(self[key], for: .milliseconds(duration), at: ms(time)))
  }

  mutating func misuse(_ rule: String, _ key: String, at time: Int64) {
    add(.misuse(rule, "“\(key)” did it", of: self[key], at: ms(time)))
  }

  mutating func counter(_ name: String, _ number: Double, of key: String, at time: Int64) {
    add(.counter(name, number, of: self[key], at: ms(time)))
  }

  mutating func mark(
    _ name: String, _ detail: String = "", role: TraceEvent.Role = .plain, of key: String,
    at time: Int64
  ) {
    add(.mark(name, detail, role: role, of: self[key], at: ms(time)))
  }

  subscript(key: String) -> Span { spans[key] ?? .none }

  private mutating func add(_ event: TraceEvent) {
    var event = event
    event.lane = lane
    events.append(event)
  }

  private func cause(_ reason: Reason) -> Cause { Cause(reason.kind, self[reason.span]) }

  private func ms(_ time: Int64) -> Instant { Instant(nanoseconds: time * 1_000_000) }

  func record(
    name: String = "run", clock: ClockKind = .virtual, outcome: RunRecord.Outcome = .success,
    end: Int64? = nil
  ) -> RunRecord {
    RunRecord(
      events: events, name: name, clock: clock, outcome: outcome, end: end.map(ms))
  }
}

extension Int64 {
  /// The number of milliseconds in nanoseconds.
  static func ms(_ milliseconds: Int64) -> Int64 { milliseconds * 1_000_000 }
}
