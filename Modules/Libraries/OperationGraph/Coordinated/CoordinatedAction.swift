/// One thing that a coordinated run must do after it has released its lock.
enum CoordinatedAction: Sendable {
  case deliverEvents
  /// Ask the condition of an operation, after all other actions.
  case ask(Int32)
  case retry(Int32, attempt: Int, after: Duration)
  case cancel(Cancellation)
  case cancelTimer(any Cancellable)
  /// Report the end of an operation to a run that waits for it.
  case notify(RemoteWatcher, Ending)
  /// Let another run look for resources that may be free now.
  case look(any ResourceUser)
  /// Releasing it may run code of the user.
  case release(Cancellation)
}

extension [CoordinatedAction] {
  /// Appends the actions of another decision: most have none, and that costs nothing.
  @inline(__always)
  mutating func add(_ others: [CoordinatedAction]) {
    if !others.isEmpty { append(contentsOf: others) }
  }
}

/// What a coordinated run must do after it has released its lock.
struct CoordinatedDecision: Sendable {
  var actions: [CoordinatedAction]
  /// Comes after the actions.
  let next: Next
  /// Of a run whose progress is followed; comes last but for the conclusion.
  let progress: (progress: GraphProgress, version: Int)?

  /// How the run continues.
  enum Next: Sendable {
    /// By the operations that run, or by what the run waits for.
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
