extension OperationGraph {
  /// How completion-handler work says that it has ended.
  ///
  /// The first call counts. A second one is reported as `completed-twice` and has no effect. Letting go
  /// of it uncalled is reported as `completion-dropped` and fails the operation with `CompletionDropped`.
  /// It keeps the run alive.
  public struct Done: Sendable {
    private let token: OperationToken

    init(_ token: OperationToken) { self.token = token }

    /// Ends the operation; what comes after it may start.
    public func callAsFunction(_ result: Result<Output, any Error>) { token.complete(result) }

    /// Whether the run was cancelled.
    public var isCancelled: Bool { token.run.cancellation.isCancelled }

    /// Calls `handler` once if the run is cancelled, at once if it has been.
    ///
    /// Dispose of the registration when the operation has ended.
    @discardableResult
    public func onCancel(
      _ handler: @escaping @Sendable () -> Void
    ) -> Cancellation.Registration {
      token.run.cancellation.onCancel(handler)
    }
  }
}

extension OperationGraph.Done where Output == Void {
  /// Ends the operation; what comes after it may start.
  public func callAsFunction() { self(.success(())) }
}
