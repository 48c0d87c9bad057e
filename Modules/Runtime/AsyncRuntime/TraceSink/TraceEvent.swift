/// Something that happened, when, and why.
///
/// Which fields hold something depends on the kind; the functions that make an event name them.
public struct TraceEvent: Sendable {
  public var kind: Kind
  /// How a finished span ended.
  public var outcome: Outcome?
  /// What a mark or a submitted span means.
  public var role: Role
  /// Whether a finished pattern promises that all of its steps have ended.
  public var awaitsAll: Bool
  /// Where it happened: the lane of the thread that recorded the event.
  public var lane: Lane
  /// When it happened, on the clock of the runtime.
  public var time: Instant
  /// What it happened to; `.none` outside any step.
  public var span: Span
  /// The pattern that a submitted span is a part of; the executor that a started or resumed one runs on.
  public var parent: Span
  /// Why it happened.
  public var cause: Cause
  /// What the span had waited for before it then waited for a timer or a lane. What had cancelled a span that ended by
  /// itself.
  public var after: Cause
  /// When the timer of a resumed span was set; when a span without a timer was ready; when a span was cancelled that
  /// ended later.
  public var since: Instant
  /// The value of a counter, the nanoseconds that were worked, or the nanoseconds that a started or resumed span
  /// waited for its lane.
  public var number: Double
  /// A label, the name of a list, a counter or a mark, or a rule.
  public var name: String
  /// More about it, by kind.
  public var detail: String

  /// What happened.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// A span exists: `parent` is its pattern, `name` its label, `detail` its kind. `cause` is the span that asked
    /// for it, if that is not the pattern.
    case submitted
    /// The span belongs to the list called `name`.
    case listed
    /// `cause` has happened, for which the span waited before it could start.
    case awaited
    /// The span started because of `cause`, or of the last that it awaited.
    case started
    /// The span waits and holds no lane until it is resumed; `detail` says for what, if that is known.
    case suspended
    /// The span continued because of `cause`.
    case resumed
    /// `outcome` is how the span ended, `cause` why, `detail` the reason of a failure.
    case finished
    /// The span was cancelled because of `cause` and keeps running; nothing waits for its end any longer.
    case cancelled
    /// The lane is blocked for the span until `unblocked`.
    case blocked
    /// `cause` ended the blocking.
    case unblocked
    /// The span held its lane with work for `number` nanoseconds up to now.
    case worked
    /// `name` has the value `number`.
    case counter
    /// `name` happened; `detail` says more.
    case mark
    /// Something was used wrongly: `name` is the rule, `detail` says how.
    case misuse
  }

  /// How a span ended.
  public enum Outcome: UInt8, Sendable {
    case success, failure, cancelled
  }

  // Always inlined, and every field is set together: an event is written straight to its place, since
  // copying one that has just been written field by field stalls the processor.
  @inlinable @inline(__always)
  init(
    _ kind: Kind, _ span: Span, at time: Instant, outcome: Outcome? = nil, role: Role = .plain,
    awaitsAll: Bool = false, parent: Span = Span(id: 0), cause: Cause = .itself,
    after: Cause = .itself,
    since: Instant = Instant(nanoseconds: 0),
    number: Double = 0, name: String = "", detail: String = ""
  ) {
    self.kind = kind
    self.outcome = outcome
    self.role = role
    self.awaitsAll = awaitsAll
    lane = LaneContext.current.lane
    self.time = time
    self.span = span
    self.parent = parent
    self.cause = cause
    self.after = after
    self.since = since
    self.number = number
    self.name = name
    self.detail = detail
  }
}

extension TraceEvent {
  /// A pattern has got a step, or a step without a pattern was started.
  ///
  /// - Parameters:
  ///   - role: `place` for what is no step.
  ///   - asker: the span whose code asked for it, if that is not the pattern.
  @inlinable
  public static func submitted(
    _ span: Span, in parent: Span, label: String, kind: String, role: Role = .plain,
    by asker: Span = .none, at time: Instant
  ) -> TraceEvent {
    TraceEvent(
      .submitted, span, at: time, role: role, parent: parent,
      cause: asker == .none ? .itself : Cause(.parent, asker), name: label, detail: kind)
  }

  /// The span belongs to a named list.
  @inlinable
  public static func listed(_ span: Span, in list: String, at time: Instant) -> TraceEvent {
    TraceEvent(.listed, span, at: time, name: list)
  }

  /// Something has happened for which the span waited before it could start.
  @inlinable
  public static func awaited(_ span: Span, _ cause: Cause, at time: Instant) -> TraceEvent {
    TraceEvent(.awaited, span, at: time, cause: cause)
  }

  /// The span started.
  ///
  /// - Parameter executor: what it runs on, if that is no lane: the span of an actor or of a queue.
  @inlinable
  public static func started(
    _ span: Span, because cause: Cause = .itself, on executor: Span = .none, at time: Instant
  ) -> TraceEvent {
    TraceEvent(.started, span, at: time, parent: executor, cause: cause)
  }

  /// The span started when `holder` released the lane, for which it had waited since it was ready.
  ///
  /// - Parameter cause: why it was ready.
  public static func started(
    _ span: Span, because cause: Cause, ready: Instant, behind holder: Span,
    on executor: Span = .none, at time: Instant
  ) -> TraceEvent {
    TraceEvent(
      .started, span, at: time, parent: executor, cause: Cause(.lane, holder), after: cause,
      since: ready,
      number: Double(ready.duration(to: time).wholeNanoseconds))
  }

  /// The span waits and holds no lane.
  ///
  /// - Parameter dependency: what it waits for, in words.
  @inlinable
  public static func suspended(
    _ span: Span, for dependency: String = "", at time: Instant
  ) -> TraceEvent {
    TraceEvent(.suspended, span, at: time, detail: dependency)
  }

  /// The span continued.
  ///
  /// - Parameter executor: what it runs on from now on, if that is no lane.
  @inlinable
  public static func resumed(
    _ span: Span, because cause: Cause, on executor: Span = .none, at time: Instant
  ) -> TraceEvent {
    TraceEvent(.resumed, span, at: time, parent: executor, cause: cause)
  }

  /// A timer of the span went off.
  ///
  /// - Parameters:
  ///   - set: when it was set.
  ///   - cause: why the code ran that set it.
  public static func resumed(
    _ span: Span, byTimerSet set: Instant, because cause: Cause, on executor: Span = .none,
    at time: Instant
  ) -> TraceEvent {
    TraceEvent(
      .resumed, span, at: time, parent: executor, cause: Cause(.timer, span), after: cause,
      since: set)
  }

  /// The span continued when `holder` released the lane, for which it had waited since `due`.
  ///
  /// - Parameters:
  ///   - set: when the timer was set that went off then; `due` if there was none.
  ///   - cause: why the code ran that set the timer, or that asked to continue on the lane.
  public static func resumed(
    _ span: Span, behind holder: Span, due: Instant, set: Instant, because cause: Cause,
    on executor: Span = .none, at time: Instant
  ) -> TraceEvent {
    TraceEvent(
      .resumed, span, at: time, parent: executor, cause: Cause(.lane, holder), after: cause,
      since: set,
      number: Double(due.duration(to: time).wholeNanoseconds))
  }

  /// The span has ended; `reason` says why it failed.
  ///
  /// - Parameters:
  ///   - cancelled: what had cancelled it, and when, if anything had.
  ///   - awaitsAll: whether a pattern promises that all of its steps have ended.
  @inlinable
  public static func finished(
    _ span: Span, _ outcome: Outcome, because cause: Cause = .itself,
    cancelled: (by: Cause, at: Instant)? = nil,
    reason: String = "", awaitsAll: Bool = false, at time: Instant
  ) -> TraceEvent {
    TraceEvent(
      .finished, span, at: time, outcome: outcome, awaitsAll: awaitsAll, cause: cause,
      after: cause.kind == .cancellation ? .itself : cancelled?.by ?? .itself,
      since: cancelled?.at ?? Instant(nanoseconds: 0), detail: reason)
  }

  /// The span was cancelled and keeps running; nothing waits for its end any longer.
  @inlinable
  public static func cancelled(
    _ span: Span, because cause: Cause, at time: Instant
  ) -> TraceEvent {
    TraceEvent(.cancelled, span, at: time, cause: cause)
  }

  /// The calling thread is about to block for the span.
  @inlinable
  public static func blocked(_ span: Span, at time: Instant) -> TraceEvent {
    TraceEvent(.blocked, span, at: time)
  }

  /// The calling thread is blocked no longer.
  @inlinable
  public static func unblocked(
    _ span: Span, because cause: Cause = .itself, at time: Instant
  ) -> TraceEvent {
    TraceEvent(.unblocked, span, at: time, cause: cause)
  }

  /// The span has held the lane with `duration` of work, up to `time`.
  public static func worked(_ span: Span, for duration: Duration, at time: Instant) -> TraceEvent {
    TraceEvent(.worked, span, at: time, number: Double(duration.wholeNanoseconds))
  }

  /// What a started or resumed span runs on, if that is no lane; else `.none`.
  public var executor: Span { kind == .started || kind == .resumed ? parent : .none }

  /// How long a started or resumed span waited for its lane.
  public var queued: Duration {
    cause.kind == .lane ? .nanoseconds(Int64(exactly: number.rounded()) ?? 0) : .zero
  }

  /// Something that changes has a value.
  ///
  /// - Parameter role: `buffer` if it is the number of values that a stream’s buffer holds.
  @inlinable
  public static func counter(
    _ name: String, _ number: Double, role: Role = .plain, of span: Span, at time: Instant
  ) -> TraceEvent {
    TraceEvent(.counter, span, at: time, role: role, number: number, name: name)
  }

  /// Something happened.
  @inlinable
  public static func mark(
    _ name: String, _ detail: String = "", role: Role = .plain, of span: Span, at time: Instant
  ) -> TraceEvent {
    TraceEvent(.mark, span, at: time, role: role, name: name, detail: detail)
  }

  /// Something was used wrongly; `rule` is one of the lint rules.
  @inlinable
  public static func misuse(
    _ rule: String, _ detail: String, of span: Span, at time: Instant
  ) -> TraceEvent {
    TraceEvent(.misuse, span, at: time, name: rule, detail: detail)
  }
}
