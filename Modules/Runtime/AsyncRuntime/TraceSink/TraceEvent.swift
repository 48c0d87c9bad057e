/// An event of a run: what happened, when, and why.
///
/// The kind determines which fields are used. The functions that make events describe them.
public struct TraceEvent: Sendable {
  public var kind: Kind
  /// How the span ended, for a finished span.
  public var outcome: Outcome?
  /// The meaning of a mark, a counter, a submitted span, a start, a resumption or an end.
  public var role: Role
  /// Whether a finished pattern promises that all of its steps have ended.
  public var awaitsAll: Bool
  /// The lane of the thread that recorded the event.
  public var lane: Lane
  /// The time of the event, on the clock of the runtime.
  public var time: Instant
  /// The span to which it happened; `.none` outside any step.
  public var span: Span
  /// The pattern to which a submitted span belongs, or the executor on which a started or resumed
  /// span runs.
  public var parent: Span
  /// The cause of the event.
  public var cause: Cause
  /// What the span had waited for, before it waited for a timer or a lane. For a span that its
  /// cancellation did not end, what had cancelled it.
  public var after: Cause
  /// A label, the name of a list, a counter or a mark, or a lint rule.
  public var name: String
  /// More information, depending on the kind.
  public var detail: String
  /// When a started span was ready, if it then waited for its lane. When the timer of a resumed
  /// span was set; without a timer, when the span was ready. For a finished span, when it was
  /// cancelled, if it was.
  public var since: Instant
  /// The value of a counter, or the nanoseconds of work. For a resumed span, the nanoseconds that it
  /// waited for its lane.
  public var number: Double

  /// What happened.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// A span exists. `parent` is its pattern, `name` its label and `detail` its kind. `cause` is
    /// the span that requested it, if that is not the pattern.
    case submitted
    /// The span belongs to the list called `name`.
    case listed
    /// `cause` has happened. The span waited for it before it could start.
    case awaited
    /// The span started because of `cause`, or of the last cause that it awaited.
    case started
    /// The span waits, and holds no lane until it is resumed. `detail` says what it waits for, if
    /// that is known.
    case suspended
    /// The span continued because of `cause`.
    case resumed
    /// The span ended. `outcome` says how, `cause` why, and `detail` is the reason of a failure.
    case finished
    /// The span was cancelled because of `cause` and keeps running. Nothing waits for its end any
    /// longer.
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
    /// An API was misused. `name` is the lint rule, and `detail` describes the misuse.
    case misuse
  }

  /// How a span ended.
  public enum Outcome: UInt8, Sendable {
    case success, failure, cancelled
  }

  // Always inlined, and all fields are set together, so that an event is written directly to its
  // destination. Copying an event whose fields were written one by one stalls the processor.
  @inlinable @inline(__always)
  package init(
    _ kind: Kind, _ span: Span, at time: Instant, on lane: Lane = LaneContext.current.lane,
    outcome: Outcome? = nil, role: Role = .plain,
    awaitsAll: Bool = false, parent: Span = Span(id: 0), cause: Cause = .itself,
    after: Cause = .itself,
    since: Instant = Instant(nanoseconds: 0),
    number: Double = 0, name: String = "", detail: String = ""
  ) {
    self.kind = kind
    self.outcome = outcome
    self.role = role
    self.awaitsAll = awaitsAll
    self.lane = lane
    self.time = time
    self.span = span
    self.parent = parent
    self.cause = cause
    self.after = after
    self.name = name
    self.detail = detail
    self.since = since
    self.number = number
  }
}

extension TraceEvent {
  /// A pattern has received a step, or a step without a pattern was started.
  ///
  /// - Parameters:
  ///   - role: `place` for a span that is not a step.
  ///   - asker: the span whose code requested it, if that is not the pattern.
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

  /// `cause` has happened, and the span waited for it before it could start.
  @inlinable
  public static func awaited(_ span: Span, _ cause: Cause, at time: Instant) -> TraceEvent {
    TraceEvent(.awaited, span, at: time, cause: cause)
  }

  /// The span started.
  ///
  /// - Parameters:
  ///   - role: `working` if its work holds the lane from now on.
  ///   - executor: the span of the actor or the queue on which it runs, if that is not a lane.
  @inlinable
  public static func started(
    _ span: Span, role: Role = .plain, because cause: Cause = .itself, on executor: Span = .none,
    at time: Instant
  ) -> TraceEvent {
    TraceEvent(.started, span, at: time, role: role, parent: executor, cause: cause)
  }

  /// The span was ready and waited for its lane. It started when `holder` released the lane.
  ///
  /// - Parameters:
  ///   - role: `working` if its work holds the lane from now on.
  ///   - cause: why the span was ready.
  public static func started(
    _ span: Span, role: Role = .plain, because cause: Cause, ready: Instant, behind holder: Span,
    on executor: Span = .none, at time: Instant
  ) -> TraceEvent {
    TraceEvent(
      .started, span, at: time, role: role, parent: executor, cause: Cause(.lane, holder),
      after: cause, since: ready)
  }

  /// The span waits, and holds no lane.
  ///
  /// - Parameter dependency: what the span waits for, in words.
  @inlinable
  public static func suspended(
    _ span: Span, for dependency: String = "", at time: Instant
  ) -> TraceEvent {
    TraceEvent(.suspended, span, at: time, detail: dependency)
  }

  /// The span continued.
  ///
  /// - Parameter executor: the span on which it runs from now on, if that is not a lane.
  @inlinable
  public static func resumed(
    _ span: Span, because cause: Cause, on executor: Span = .none, at time: Instant
  ) -> TraceEvent {
    TraceEvent(.resumed, span, at: time, parent: executor, cause: cause)
  }

  /// A timer of the span fired.
  ///
  /// - Parameters:
  ///   - set: when the timer was set.
  ///   - cause: why the code that set the timer ran.
  public static func resumed(
    _ span: Span, byTimerSet set: Instant, because cause: Cause, on executor: Span = .none,
    at time: Instant
  ) -> TraceEvent {
    TraceEvent(
      .resumed, span, at: time, parent: executor, cause: Cause(.timer, span), after: cause,
      since: set)
  }

  /// The span was due and waited for its lane. It continued when `holder` released the lane.
  ///
  /// - Parameters:
  ///   - set: when the timer that fired was set; `due` if there was no timer.
  ///   - cause: why the code ran that set the timer or requested the lane.
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
  ///   - cancelled: what had cancelled the span, and when; nil if nothing had. If the time is nil, `time` counts.
  ///   - hasTimedOut: whether the span failed because its own timer ran out.
  ///   - awaitsAll: whether a pattern promises that all of its steps have ended.
  @inlinable
  public static func finished(
    _ span: Span, _ outcome: Outcome, because cause: Cause = .itself,
    cancelled: (by: Cause, at: Instant?)? = nil,
    reason: String = "", hasTimedOut: Bool = false, awaitsAll: Bool = false, at time: Instant
  ) -> TraceEvent {
    TraceEvent(
      .finished, span, at: time, outcome: outcome, role: hasTimedOut ? .timedOut : .plain,
      awaitsAll: awaitsAll, cause: cause,
      after: cause.kind == .cancellation ? .itself : cancelled?.by ?? .itself,
      since: cancelled == nil && cause.kind != .cancellation
        ? Instant(nanoseconds: 0) : cancelled?.at ?? time,
      detail: reason)
  }

  /// The span was cancelled and keeps running. Nothing waits for its end any longer.
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

  /// The calling thread is no longer blocked.
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

  /// The executor of a started or resumed span; `.none` if it runs on a lane.
  public var executor: Span { kind == .started || kind == .resumed ? parent : .none }

  /// How long a started or resumed span waited for its lane.
  public var queued: Duration {
    if cause.kind != .lane { return .zero }
    if kind == .started { return since.duration(to: time) }
    return .nanoseconds(Int64(exactly: number.rounded()) ?? 0)
  }

  /// A counter has a value.
  ///
  /// - Parameter role: `buffer` for the number of values in the buffer of a stream.
  @inlinable
  public static func counter(
    _ name: String, _ number: Double, role: Role = .plain, of span: Span, at time: Instant
  ) -> TraceEvent {
    TraceEvent(.counter, span, at: time, role: role, number: number, name: name)
  }

  /// A mark: something happened.
  @inlinable
  public static func mark(
    _ name: String, _ detail: String = "", role: Role = .plain, of span: Span, at time: Instant
  ) -> TraceEvent {
    TraceEvent(.mark, span, at: time, role: role, name: name, detail: detail)
  }

  /// An API was misused; `rule` is one of the lint rules.
  @inlinable
  public static func misuse(
    _ rule: String, _ detail: String, of span: Span, at time: Instant
  ) -> TraceEvent {
    TraceEvent(.misuse, span, at: time, name: rule, detail: detail)
  }
}
