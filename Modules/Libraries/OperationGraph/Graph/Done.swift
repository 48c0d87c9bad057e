extension OperationGraph {
  /// How completion-handler work says that it has ended.
  ///
  /// The first call counts. A second one is reported as `completed-twice` and has no effect. Letting go
  /// of it uncalled is reported as `completion-dropped` and fails the operation with `CompletionDropped`.
  /// It keeps the run alive.
  public struct Done<Value: Sendable>: Sendable {
    private let token: OperationToken
    private let slot: Int32

    init(_ token: OperationToken, slot: Int32) {
      self.token = token
      self.slot = slot
    }

    /// Ends the operation; what comes after it may start.
    public func callAsFunction(_ result: Result<Value, any Error>) {
      token.complete(result, at: slot)
    }

    /// Ends the operation with a success.
    public func callAsFunction(returning value: Value) { self(.success(value)) }

    /// Ends the operation with a failure.
    public func callAsFunction(throwing error: any Error) { self(.failure(error)) }

    /// Whether the operation or the run was called off.
    public var isCancelled: Bool { token.cancellation.isCancelled }

    /// Calls `handler` once if the operation or the run is called off, at once if it has been.
    ///
    /// Dispose of the registration when the operation has ended.
    @discardableResult
    public func onCancel(
      _ handler: @escaping @Sendable () -> Void
    ) -> Cancellation.Registration {
      token.cancellation.onCancel(handler)
    }
  }
}

extension OperationGraph.Done where Value == Void {
  /// Ends the operation; what comes after it may start.
  public func callAsFunction() { self(.success(())) }
}
