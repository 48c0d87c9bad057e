public import AsyncRuntime

extension OperationGraph {
  /// A setting of an operation besides its inputs and predecessors, as in `with: .retry(3), .timeout(.seconds(2))`.
  public struct Option: Sendable {
    let set: @Sendable (inout OperationOptions) -> Void

    init(_ set: @escaping @Sendable (inout OperationOptions) -> Void) { self.set = set }

    /// The condition on the predecessors' ends under which the operation starts. Without this option, it starts after
    /// all of them have succeeded.
    public static func trigger(_ trigger: Trigger) -> Option { Option { $0.trigger = trigger } }

    /// The priority among ready operations: a higher one starts first. An operation has at least
    /// the priority of every operation that waits for it.
    public static func priority(_ priority: Priority) -> Option {
      Option { $0.priority = priority }
    }

    /// Makes the operation take an amount of a resource while it runs, from the pool that the run is given. Several
    /// resources are taken together, or none of them.
    ///
    /// - Parameter amount: how much it takes; below one counts as one.
    public static func needs(_ resource: String, _ amount: Int = 1) -> Option {
      Option { $0.needs.append(Need(resource: resource, amount: max(amount, 1))) }
    }

    /// Makes the operation take all of a resource while it runs. No other operation that needs some of it runs
    /// meanwhile.
    ///
    /// A run without a pool has one unit of each resource that is only ever taken this way.
    public static func exclusive(_ resource: String) -> Option {
      Option { $0.needs.append(Need(resource: resource, amount: Need.everything)) }
    }

    /// Starts the operation again after a failure. An operation that was cancelled, or threw a
    /// `CancellationError`, is not retried.
    ///
    /// - Parameters:
    ///   - attempts: the maximum number of attempts; below one counts as one.
    ///   - backoff: the delay between attempts; by default there is none.
    public static func retry(_ attempts: Int, backoff: Backoff = Backoff()) -> Option {
      Option { $0.retry = Retry(attempts: max(attempts, 1), backoff: backoff) }
    }

    /// Combines a list of options into one.
    public static func all(_ options: [Option]) -> Option {
      Option { set in for option in options { option.set(&set) } }
    }

    /// Fails an attempt that takes longer than `duration` with `TimedOut`, and cancels its work.
    ///
    /// Work that ignores the cancellation keeps running. Meanwhile it has no place and no resources of the run: the
    /// next attempt and other operations may run beside it.
    public static func timeout(_ duration: Duration) -> Option { Option { $0.timeout = duration } }
  }

  /// The condition under which an operation starts, depending on how its predecessors ended.
  public enum Trigger: String, Sendable, Hashable, CaseIterable {
    /// All of them have succeeded.
    case allSucceeded = "all-succeeded"
    /// All of them have ended, in any way.
    case allDone = "all-done"
    /// One of them has succeeded. The operation does not wait for the others.
    case anySucceeded = "any-succeeded"
    /// One of them has failed. The operation does not wait for the others.
    case anyFailed = "any-failed"
    /// All of them have ended and none has failed. For this trigger, a cancelled operation counts
    /// as failed, and a skipped one does not.
    case noneFailed = "none-failed"
  }

  /// How a failure affects the rest of a run. A queue has a policy of its own, since its items do not depend on each
  /// other, and since it can be resumed.
  ///
  /// An operation that throws a `CancellationError` ends as cancelled. With ``stop`` it stops the run like a failure.
  /// With the other two policies its error is not among the failures. The run ends with it only if nothing failed.
  public enum FailurePolicy: String, Sendable, Hashable, CaseIterable {
    /// Nothing more starts. The run ends with the first failure, when all operations in flight have ended.
    case stop
    /// Nothing more starts, and the operations in flight are cancelled. The run ends with the first failure, when they
    /// have ended. Child tasks of a throwing task group end in the same way.
    case cancelAll = "cancel-all"
    /// All operations that do not need the failed one still start. These are the operations that do
    /// not depend on it, and those with a trigger that holds after a failure. The run ends with the
    /// first failure.
    case finishIndependent = "finish-independent"
    /// The same operations start as with ``finishIndependent``, and the run reports all failures together.
    case `continue`

    /// Whether operations may still start after a failure.
    package var startsAfterFailure: Bool {
      switch self {
      case .stop, .cancelAll: false
      case .finishIndependent, .continue: true
      }
    }
  }
}

/// The settings of an operation besides its work. Few operations have any, so they are stored separately.
struct OperationOptions: Sendable {
  var trigger = OperationGraph.Trigger.allSucceeded
  var priority = Priority.normal
  var needs: [Need] = []
  var retry: Retry?
  var timeout: Duration?
  /// The operations whose values the operation takes, if its trigger may hold without them.
  var values: [Int32] = []
  /// The operation of another run that this one represents.
  var remote: RemoteLink?
  /// Called when the operation would become ready. If it returns false, the operation is skipped.
  var condition: (@Sendable (OperationFrame) -> Bool)?

  /// The names, in messages, of the options that are set.
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

/// An amount of a resource.
struct Need: Sendable, Hashable {
  var resource: String
  var amount: Int

  /// All of the resource.
  static let everything = Int.max
}

/// How often an operation starts again, and when.
struct Retry: Sendable, Hashable {
  var attempts: Int
  var backoff: Backoff
}
