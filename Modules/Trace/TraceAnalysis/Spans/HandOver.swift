/// The last wait of a step of the critical path, and the delay from the end of that wait to the start of the step.
public struct HandOver: Sendable, Hashable {
  public var kind: Kind
  /// The path of the awaited step, or of the pattern of which it was the last part.
  public var from: String
  /// The path of the waiting step: the step itself, or an enclosing pattern. The run's own step is identified by its
  /// label.
  public var to: String
  /// Which moment of the step had to wait: its start or its end.
  public var before = Moment.start
  /// The time from the end of the awaited step to the start of the step, in nanoseconds. Zero if the step had already
  /// started.
  public var delay: Int64
  /// The reason for the delay, if there was one.
  public var pause: Pause?

  /// A moment of a step that can wait.
  public enum Moment: String, Sendable, Hashable, CaseIterable {
    case start
    /// The step had started, and then waited for its lane, or for a wake-up by another step.
    case end
  }

  /// The kind of wait, according to the recorded cause. `queue` is a lane that another step released.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case dependency
    case permit = "permit-from"
    case woke
    case resolvedBy = "resolved-by"
    case spawned
    case queue
  }

  /// The reason for the delay between the end of the awaited step and the start of the step.
  public enum Pause: String, Sendable, Hashable, CaseIterable {
    /// All workers worked or were blocked for some of the time in which the step was ready.
    case worker
    /// A timer of a pattern fired in between.
    case timer
    /// Neither of these: the code in between took time, or the step was ready and a worker was free.
    case dispatch
  }
}

/// A step of the critical path.
public struct CriticalStep: Sendable, Hashable {
  /// Its position among the steps of the record.
  public var step: Int
  public var path: String
  /// When its share of the makespan begins: its start, or the end of the step before it if that is later. For a step
  /// that timed out because of a timer of its pattern, it is when the step was requested: the timer was set then.
  public var from: Int64
  /// Its share of the makespan, in nanoseconds: from `from` to its end.
  public var time: Int64
  /// How it got its turn. Nil for the first step.
  public var handOver: HandOver?
}

extension HandOver.Kind {
  /// Converts a recorded cause to the kind of hand-over between two steps. Nil for the step itself and for a timer.
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
