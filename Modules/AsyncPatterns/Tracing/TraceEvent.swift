/// Something that happened, and when.
///
/// Which fields hold something depends on the kind; the functions that make one name them.
public struct TraceEvent: Sendable {
  public var kind: Kind
  /// How a finished span ended.
  public var outcome: Outcome?
  /// How the other span let this one go on, if it is an edge.
  public var edge: Edge?
  /// Where it happened: the lane of the thread that made the event.
  public var lane: Lane
  /// When, on the clock of the runtime.
  public var time: Instant
  /// What it happened to; `.none` outside any step.
  public var span: Span
  /// The parent of a submitted span; where an edge comes from.
  public var other: Span
  /// The value of a counter, how many nanoseconds were worked or queued, or the `ending` of what finished.
  public var number: Double
  /// A label, the name of a list, a counter or a mark, or a rule.
  public var name: String
  /// What more there is to say, by kind.
  public var detail: String

  /// What happened.
  public enum Kind: UInt8, Sendable {
    /// A span exists: `other` is its parent, `name` its label, `detail` what it is.
    case submitted
    /// The span stands in the list called `name`.
    case listed
    case started
    /// `outcome` says how, `detail` why if it failed.
    case finished
    /// The lane stands parked, on behalf of the span, until `unblocked`.
    case blocked
    case unblocked
    /// The span held its lane with work for `number` nanoseconds up to now.
    case worked
    /// `other` let the span go on: `edge` says how.
    case edge
    /// `name` has the value `number`.
    case counter
    /// `name` happened; `detail` says more.
    case mark
    /// Something was used wrongly: `name` is the rule, `detail` says how.
    case misuse
    /// The span was to go on there, and waited for the lane for `number` nanoseconds up to now. On the live
    /// clock that is told of timers, and of hops to lanes that run one job after another.
    case queued
  }

  /// How a span ended.
  public enum Outcome: UInt8, Sendable {
    case success, failure, cancelled
  }

  /// What more is known of how something completed.
  public struct Ending: OptionSet, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// By its manual it completes so only when all of its steps have ended.
    public static let saysAllHaveEnded = Ending(rawValue: 1)
    /// A timer went off and ended it, and not a step's end: one of its own or, if it did not succeed, one of a pattern
    /// that it is a part of, which has cancelled it, though it may have gone on.
    public static let byTimer = Ending(rawValue: 2)
    /// It was due as long before as it has last been told to have been queued; or, if a timer has cancelled it, as the
    /// code has that runs on its lane.
    public static let afterWait = Ending(rawValue: 4)
    /// A timer has cancelled it, and its own code ended it, then or any time later, or it had not even started. Told of what
    /// has no parts.
    public static let byItself = Ending(rawValue: 8)
  }

  /// What more is known of how it completed, if it finished.
  public var ending: Ending {
    kind == .finished ? Ending(rawValue: UInt8(exactly: number) ?? 0) : []
  }

  /// How one span let another go on. `woke`: it gave a semaphore the permit that a thread of the other then took, also
  /// where it was there before anybody had to park for it. To a span that has not started `woke` leads from who woke its
  /// pattern, which then started it, and `permitFrom` from whose place it got or whose permit its pattern found.
  public enum Edge: UInt8, Sendable {
    case spawned, dependency, resolvedBy, woke, permitFrom
  }

  // Always inlined, and every field at once: an event is written straight to where it goes, since
  // copying one that has just been written field by field stalls the processor.
  @inlinable @inline(__always)
  init(
    _ kind: Kind, _ span: Span, at time: Instant, outcome: Outcome? = nil, edge: Edge? = nil,
    other: Span = .none, number: Double = 0, name: String = "", detail: String = ""
  ) {
    self.kind = kind
    self.outcome = outcome
    self.edge = edge
    lane = LaneContext.current.lane
    self.time = time
    self.span = span
    self.other = other
    self.number = number
    self.name = name
    self.detail = detail
  }
}

/// What the events of one step, or of one start of it, have in common; unique within a run.
public struct Span: Hashable, Sendable, Comparable {
  public var id: UInt32
  public init(id: UInt32) { self.id = id }
  /// No span at all.
  public static let none = Span(id: 0)
  public static func < (left: Span, right: Span) -> Bool { left.id < right.id }
}

/// A worker: the main thread, a worker of a pool, or another thread, numbered by the process or by the
/// simulation. `main` is 0.
public struct Lane: Hashable, Sendable, Comparable {
  public var number: UInt32
  public init(number: UInt32) { self.number = number }
  /// The run loop's.
  public static let main = Lane(number: 0)
  public static func < (left: Lane, right: Lane) -> Bool { left.number < right.number }
}

extension TraceEvent {
  /// A pattern has got a step, or a step without one was started.
  @inlinable
  public static func submitted(
    _ span: Span, in parent: Span, label: String, kind: String, at time: Instant
  ) -> TraceEvent {
    TraceEvent(.submitted, span, at: time, other: parent, name: label, detail: kind)
  }

  /// The span stands in a named list.
  @inlinable
  public static func listed(_ span: Span, in list: String, at time: Instant) -> TraceEvent {
    TraceEvent(.listed, span, at: time, name: list)
  }

  /// The step's turn has come.
  @inlinable
  public static func started(_ span: Span, at time: Instant) -> TraceEvent {
    TraceEvent(.started, span, at: time)
  }

  /// The step has completed; `reason` says why it failed.
  ///
  /// - Parameter ending: what more is known of how it completed.
  @inlinable
  public static func finished(
    _ span: Span, _ outcome: Outcome, because reason: String = "", ending: Ending = [],
    at time: Instant
  ) -> TraceEvent {
    TraceEvent(
      .finished, span, at: time, outcome: outcome, number: Double(ending.rawValue), detail: reason)
  }

  /// The calling thread is about to stand parked, on behalf of the span.
  @inlinable
  public static func blocked(_ span: Span, at time: Instant) -> TraceEvent {
    TraceEvent(.blocked, span, at: time)
  }

  /// The calling thread stands parked no more.
  @inlinable
  public static func unblocked(_ span: Span, at time: Instant) -> TraceEvent {
    TraceEvent(.unblocked, span, at: time)
  }

  /// The span has held the lane with `duration` of work, up to `time`.
  public static func worked(_ span: Span, for duration: Duration, at time: Instant) -> TraceEvent {
    TraceEvent(.worked, span, at: time, number: Double(duration.wholeNanoseconds))
  }

  /// The span was to go on at `due`, and waited until `time` for the calling lane to be free.
  public static func queued(_ span: Span, since due: Instant, at time: Instant) -> TraceEvent {
    TraceEvent(
      .queued, span, at: time, number: Double(due.duration(to: time).wholeNanoseconds))
  }

  /// `source` let `span` go on.
  @inlinable
  public static func edge(
    _ edge: Edge, from source: Span, to span: Span, at time: Instant
  ) -> TraceEvent {
    TraceEvent(.edge, span, at: time, edge: edge, other: source)
  }

  /// Something that changes has a value.
  @inlinable
  public static func counter(
    _ name: String, _ number: Double, of span: Span, at time: Instant
  ) -> TraceEvent {
    TraceEvent(.counter, span, at: time, number: number, name: name)
  }

  /// Something happened.
  @inlinable
  public static func mark(
    _ name: String, _ detail: String = "", of span: Span, at time: Instant
  ) -> TraceEvent {
    TraceEvent(.mark, span, at: time, name: name, detail: detail)
  }

  /// A timer of the pattern around it has gone off and cancelled the step, which may go on all the same: a mark.
  ///
  /// - Parameter isLate: whether the timer had to wait for its lane, as the last event on that tells.
  static func timedOut(_ span: Span, isLate: Bool, at time: Instant) -> TraceEvent {
    .mark("timed-out", isLate ? lateTimer : punctualTimer, of: span, at: time)
  }

  private static let lateTimer = "by a timer that was late"
  private static let punctualTimer = "by a timer"

  /// Whether a timer has cancelled its step then, and whether that was late; nil if it tells of something else.
  package var isTimeoutByLateTimer: Bool? {
    guard kind == .mark, name == "timed-out" else { return nil }
    return switch detail {
    case TraceEvent.lateTimer: true
    case TraceEvent.punctualTimer: false
    default: nil
    }
  }

  /// Something was used wrongly; `rule` is one of the lint rules.
  @inlinable
  public static func misuse(
    _ rule: String, _ detail: String, of span: Span, at time: Instant
  ) -> TraceEvent {
    TraceEvent(.misuse, span, at: time, name: rule, detail: detail)
  }
}
