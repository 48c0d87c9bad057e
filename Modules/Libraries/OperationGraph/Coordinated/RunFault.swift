/// The reason why a run has not succeeded so far.
enum RunFault: Sendable {
  case none
  /// The run was cancelled.
  case cancelled(any Error)
  /// An operation ended itself with a `CancellationError`, and none has failed. The rest of the run continues.
  case operationCancelled(any Error)
  /// At least one operation has failed.
  case failed([GraphFailures.Failure])

  /// Records a failure, unless the run was cancelled before.
  mutating func fail(_ operation: String, _ error: any Error) {
    let failure = GraphFailures.Failure(operation: operation, error: error)
    switch self {
    case .none, .operationCancelled: self = .failed([failure])
    case .cancelled: break
    case .failed(var failures):
      // Avoids a copy of the array.
      self = .none
      failures.append(failure)
      self = .failed(failures)
    }
  }

  /// Records a cancellation of the run, unless an operation failed before.
  mutating func cancel(_ error: any Error) {
    switch self {
    case .none, .operationCancelled: self = .cancelled(error)
    case .cancelled, .failed: break
    }
  }

  /// Records that an operation ended itself as cancelled, unless something else is recorded.
  mutating func operationCancelled(_ error: any Error) {
    if case .none = self { self = .operationCancelled(error) }
  }

  /// The error of the run.
  func error(_ policy: OperationGraph.FailurePolicy) -> (any Error)? {
    switch self {
    case .none: nil
    case .cancelled(let error), .operationCancelled(let error): error
    case .failed(let failures):
      policy == .continue ? GraphFailures(failures: failures) : failures.first?.error
    }
  }
}
