extension OperationGraph {
  /// How an operation ended.
  public enum Outcome<Value: Sendable>: Sendable {
    case success(Value)
    /// The operation threw an error, or its work ended with one.
    case failure(any Error)
    /// The operation or its run was cancelled before the operation started, or the operation ended with a
    /// `CancellationError`. An operation that never starts, or waits for another attempt, also counts as cancelled in
    /// two other cases. In the first, the run has stopped after a failure. In the second, a predecessor was cancelled,
    /// and the trigger can no longer hold or a needed value is missing. Other predecessors may have failed or may have
    /// been skipped.
    case cancelled
    /// The operation never started. Its condition was false, its trigger could no longer hold, or a needed value was
    /// missing. In the last two cases, no predecessor was cancelled.
    case skipped

    /// The value of a success.
    public var value: Value? { if case .success(let value) = self { value } else { nil } }

    /// The error of a failure.
    public var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }
  }
}

/// How an operation ended, without its value.
enum Ending: Sendable {
  case succeeded
  case failed(any Error)
  case cancelled
  case skipped

  /// - Parameter failure: the error with which the work of the operation ended; nil if it succeeded.
  init(_ failure: (any Error)?) {
    self =
      switch failure {
      case nil: .succeeded
      case is CancellationError: .cancelled
      case let error?: .failed(error)
      }
  }
}

/// An outcome whose type is not known statically where it is read.
protocol ReadableOutcome: Sendable {
  static func read(_ slot: Int32, of values: RunValues.Places, _ ending: Ending) -> Self
}

extension OperationGraph.Outcome: ReadableOutcome {
  /// - Parameter value: evaluated only after a success.
  init(_ ending: Ending, value: @autoclosure () -> Value) {
    self =
      switch ending {
      case .succeeded: .success(value())
      case .failed(let error): .failure(error)
      case .cancelled: .cancelled
      case .skipped: .skipped
      }
  }

  static func read(_ slot: Int32, of values: RunValues.Places, _ ending: Ending) -> Self {
    Self(ending, value: values.value(at: slot, as: Value.self))
  }
}
