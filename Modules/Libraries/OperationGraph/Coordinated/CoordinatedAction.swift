/// An action that a coordinated run must perform after it has released its lock.
enum CoordinatedAction: Sendable {
  case deliverEvents
  /// Evaluate the condition of an operation, after all other actions.
  case ask(Int32)
  case retry(Int32, attempt: Int, Backoff)
  case cancel(Cancellation)
  case cancelTimer(any Cancellable)
  /// Report the end of an operation to a run that waits for it.
  case notify(RemoteWatcher, Ending)
  /// Make another run check whether resources are free now.
  case look(any ResourceUser)
  /// Release the object, which may run the user's code.
  case release(Cancellation)
}

extension [CoordinatedAction] {
  /// Appends the actions of another decision. Most decisions have none, and then this costs nothing.
  @inline(__always)
  mutating func add(_ others: [CoordinatedAction]) {
    if !others.isEmpty { append(contentsOf: others) }
  }
}

/// The decision of a coordinated run: its actions after it has released its lock, and its next step.
struct CoordinatedDecision: Sendable {
  var actions: [CoordinatedAction]
  /// The step that follows the actions.
  let next: Next
  /// The progress, if it is to be reported. It is reported last, except for the conclusion.
  let progress: (progress: GraphProgress, version: Int)?

  /// The next step of the run.
  enum Next: Sendable {
    /// Wait for a running operation, or for another event.
    case wait
    case wakeWorker
    /// Start operations on the calling thread.
    case start([Int32])
    /// The run is stalled, unless another run can continue.
    case searchDeadlock
    case conclude(Conclusion)
  }

  struct Conclusion: Sendable {
    let failure: (any Error)?
    /// Nil if all operations have succeeded.
    let endings: [Ending]?
  }
}
