/// The reason why a run has not succeeded so far.
enum RunFault: Sendable {
  case none
  case cancelled(any Error)
  /// At least one operation has failed.
  case failed([GraphFailures.Failure])

  /// Records a failure, unless the run was cancelled before.
  mutating func fail(_ operation: String, _ error: any Error) {
    let failure = GraphFailures.Failure(operation: operation, error: error)
    switch self {
    case .none: self = .failed([failure])
    case .cancelled: break
    case .failed(var failures):
      // Avoids a copy of the array.
      self = .none
      failures.append(failure)
      self = .failed(failures)
    }
  }

  /// Records a cancellation, unless an operation failed before.
  mutating func cancel(_ error: any Error) {
    if case .none = self { self = .cancelled(error) }
  }

  /// The error of the run.
  func error(_ policy: OperationGraph.OnFailure) -> (any Error)? {
    switch self {
    case .none: return nil
    case .cancelled(let error): return error
    case .failed(let failures):
      let first = failures.first?.error
      return policy == .continue && !(first is CancellationError)
        ? GraphFailures(failures: failures) : first
    }
  }
}
