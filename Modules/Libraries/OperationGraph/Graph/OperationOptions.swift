extension OperationGraph {
  /// What an operation asks for beside its inputs and predecessors, as in
  /// `with: .retry(3), .timeout(.seconds(2))`.
  public struct Option: Sendable {
    let set: @Sendable (inout OperationOptions) -> Void

    init(_ set: @escaping @Sendable (inout OperationOptions) -> Void) { self.set = set }

    /// When it starts, going by how those before it ended; after the success of all of them unless given.
    public static func trigger(_ trigger: Trigger) -> Option { Option { $0.trigger = trigger } }

    /// Who starts first of those that are ready.
    public static func priority(_ priority: Priority) -> Option {
      Option { $0.priority = priority }
    }

    /// Takes an amount of a resource while it runs, of the pool that the run is given. Several of them
    /// are taken together, or none.
    ///
    /// - Parameter amount: how much; below one counts as one.
    public static func needs(_ resource: String, _ amount: Int = 1) -> Option {
      Option { $0.needs.append(Need(resource: resource, amount: max(amount, 1))) }
    }

    /// Takes all of a resource while it runs: nothing else that needs some of it runs then.
    ///
    /// A run that is given no pool has one of each resource that is only ever taken this way.
    public static func exclusive(_ resource: String) -> Option {
      Option { $0.needs.append(Need(resource: resource, amount: Need.everything)) }
    }

    /// Starts it again after a failure.
    ///
    /// - Parameters:
    ///   - attempts: how many times it starts at most; below one counts as one.
    ///   - delay: how long it waits before the second attempt.
    ///   - factor: how many times longer it waits before each one after that.
    public static func retry(
      _ attempts: Int, after delay: Duration = .zero, growing factor: Double = 1
    ) -> Option {
      Option { $0.retry = Retry(attempts: max(attempts, 1), delay: delay, factor: factor) }
    }

    /// Several options as one, for who has them in a list.
    public static func all(_ options: [Option]) -> Option {
      Option { set in for option in options { option.set(&set) } }
    }

    /// Fails it if an attempt takes longer.
    public static func timeout(_ duration: Duration) -> Option { Option { $0.timeout = duration } }
  }

  /// When an operation starts, going by how those before it ended.
  public enum Trigger: String, Sendable, Hashable, CaseIterable {
    /// All of them have succeeded.
    case allSucceeded = "all-succeeded"
    /// All of them have ended, however they did.
    case allDone = "all-done"
    /// One of them has succeeded: it does not wait for the others.
    case anySucceeded = "any-succeeded"
    /// One of them has failed: it does not wait for the others.
    case anyFailed = "any-failed"
    /// All of them have ended and none failed; one that was skipped is no failure.
    case noneFailed = "none-failed"
  }

  /// Who starts first of those that are ready. An operation has at least the priority of all that wait
  /// for it.
  public struct Priority: RawRepresentable, Sendable, Hashable, Comparable {
    public var rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let low = Priority(rawValue: -100)
    public static let normal = Priority(rawValue: 0)
    public static let high = Priority(rawValue: 100)

    public static func < (one: Priority, other: Priority) -> Bool { one.rawValue < other.rawValue }
  }

  /// What a failure does to the rest of a run.
  public enum FailurePolicy: String, Sendable, Hashable, CaseIterable {
    /// Nothing more starts; the run ends with the first failure when what is in flight has ended.
    case stop
    /// What does not need the failed operation starts: what does not depend on it, and what has a trigger that holds after
    /// a failure. The run ends with the first failure.
    case finishIndependent = "finish-independent"
    /// The same operations start; all failures are reported together.
    case keepGoing = "keep-going"
  }
}

/// What an operation has been given beside its work. Few have any, so that they stand apart.
struct OperationOptions: Sendable {
  var trigger = OperationGraph.Trigger.allSucceeded
  var priority = OperationGraph.Priority.normal
  var needs: [Need] = []
  var retry: Retry?
  var timeout: Duration?
  /// The operations whose values it takes, if it has a trigger that may hold without them.
  var values: [Int32] = []
  /// The operation of another run that it stands for.
  var remote: RemoteLink?
  /// Asked when the operation would become ready; false, and it is skipped.
  var condition: (@Sendable (OperationFrame) -> Bool)?

  /// What they are called where an operation is given them.
  var names: [String] {
    var names: [String] = []
    if trigger != .allSucceeded { names.append("a trigger") }
    if priority != .normal { names.append("a priority") }
    if !needs.isEmpty { names.append("needs") }
    if retry != nil { names.append("retry") }
    if timeout != nil { names.append("a timeout") }
    if remote != nil { names.append("another run's operation") }
    if condition != nil { names.append("a condition") }
    return names
  }
}

/// So much of a resource.
struct Need: Sendable, Hashable {
  var resource: String
  var amount: Int

  /// All that there is.
  static let everything = Int.max
}

/// How often and when an operation starts again.
struct Retry: Sendable, Hashable {
  var attempts: Int
  var delay: Duration
  var factor: Double
}
