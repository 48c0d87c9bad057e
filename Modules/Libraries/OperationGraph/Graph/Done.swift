extension OperationGraph {
  /// The completion handler that completion-handler work calls to report that it has ended.
  ///
  /// The first call counts. A second call is reported as `completed-twice` and has no effect. Releasing the handler
  /// without calling it is reported as `completion-dropped`, and fails the operation with `CompletionDropped`. The
  /// handler keeps the run alive.
  public struct Done<Value: Sendable>: Sendable {
    @usableFromInline let token: OperationToken

    package init(_ token: OperationToken) { self.token = token }

    /// Ends the operation. Operations that come after it may then start.
    // Inlined: looking up the type of the result at run time would cost more than everything else here.
    @inlinable
    public func callAsFunction(_ result: Result<Value, any Error>) {
      switch result {
      case .success(let value): token.succeed(with: value)
      case .failure(let error): token.fail(with: error)
      }
    }

    /// Ends the operation with a success.
    public func callAsFunction(_ value: Value) { token.succeed(with: value) }

    /// Ends the operation with a failure.
    public func callAsFunction(throwing error: any Error) { token.fail(with: error) }

    /// The handler as a closure, for functions that take a completion handler. Calling or releasing the closure has the
    /// same effect as calling or releasing the handler.
    // Disfavored, so that `let end = done.closure` of a `Done<Void>` is the closure without arguments.
    @_disfavoredOverload
    public var closure: @Sendable (Result<Value, any Error>) -> Void { { self($0) } }

    /// Whether the operation or the run was cancelled, or the operation has taken too long.
    public var isCancelled: Bool { token.cancellation.isCancelled }

    /// Calls `handler` once when the operation or the run is cancelled, or the operation has taken too long. Calls it
    /// immediately if that has already happened.
    ///
    /// Dispose of the registration when the operation has ended. Otherwise a later cancellation of the run may still
    /// call the handler.
    @discardableResult
    public func onCancel(
      _ handler: @escaping @Sendable () -> Void
    ) -> Cancellation.Registration {
      token.cancellation.onCancel(handler)
    }
  }
}

extension OperationGraph.Done where Value == Void {
  /// Ends the operation. Operations that come after it may then start.
  public func callAsFunction() { token.succeed(with: ()) }

  /// The handler as a closure without arguments.
  public var closure: @Sendable () -> Void { { self() } }
}
