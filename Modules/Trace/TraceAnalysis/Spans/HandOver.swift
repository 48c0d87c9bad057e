/// How a step of the critical path came to its turn: what it waited for last, and how long it took from the
/// end of that to its start.
public struct HandOver: Sendable, Hashable {
  public var kind: Kind
  /// The path of what was waited for: a step, or the pattern that it was the last part of.
  public var from: String
  /// The path of what waited: the step itself, or a pattern that it is a part of; the run's own step goes by
  /// its label.
  public var to: String
  /// What had to wait.
  public var before: Moment
  /// From the end of what was waited for to the start of the step, in nanoseconds; none where that had started before.
  public var delay: Int64
  /// What the delay was spent on, if there was one.
  public var pause: Pause?

  public init(
    kind: Kind, from: String, to: String, before: Moment = .start, delay: Int64,
    pause: Pause? = nil
  ) {
    self.kind = kind
    self.from = from
    self.to = to
    self.before = before
    self.delay = delay
    self.pause = pause
  }

  /// What of a step waits.
  public enum Moment: String, Sendable, Hashable, CaseIterable {
    case start
    /// It had started, and then waited for its lane, or for somebody to wake it.
    case end
  }

  /// What a step waits for, as its recorded cause has it. `queue` is a lane that another step released.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case dependency
    case permit = "permit-from"
    case woke
    case resolvedBy = "resolved-by"
    case spawned
    case queue
  }

  /// What lies between the end of what was waited for and the start of the step.
  public enum Pause: String, Sendable, Hashable, CaseIterable {
    /// All workers worked or were blocked for some of the time that the step was ready.
    case worker
    /// A timer of a pattern went off in between.
    case timer
    /// Neither: the code in between took its time, or the step was ready and a worker was free.
    case dispatch
  }
}

/// A step of the critical path.
public struct CriticalStep: Sendable, Hashable {
  /// Its position among the steps of the record.
  public var step: Int
  public var path: String
  /// When its share of the makespan begins: its start, or the end of the step before it if that is later; of what a
  /// timer of its pattern cut off, when it was asked for, since the timer was set then.
  public var from: Int64
  /// Its share of the makespan, in nanoseconds: from there to its end.
  public var time: Int64
  /// How it came to its turn; nil for the first one.
  public var handOver: HandOver?

  public init(step: Int, path: String, from: Int64, time: Int64, handOver: HandOver? = nil) {
    self.step = step
    self.path = path
    self.from = from
    self.time = time
    self.handOver = handOver
  }
}

extension HandOver.Kind {
  /// What a recorded cause is called between two steps; nil where nothing was waited for.
  init?(_ cause: Cause.Kind) {
    switch cause {
    case .end: self = .dependency
    case .permit: self = .permit
    case .wakeUp: self = .woke
    case .lane: self = .queue
    case .cancellation: self = .resolvedBy
    case .parent: self = .spawned
    case .itself, .timer: return nil
    }
  }
}
