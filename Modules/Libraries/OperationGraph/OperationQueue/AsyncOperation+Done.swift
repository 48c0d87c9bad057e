internal import AsyncRuntime
internal import Synchronization

extension AsyncOperation {
  /// The completion handler that completion-handler work calls to report that it has ended.
  ///
  /// The first call counts. A second call is reported as `completed-twice` and has no effect. Releasing the handler
  /// without calling it is reported as `completion-dropped`, and fails the operation with `CompletionDropped`.
  ///
  /// The value of an operation is always `Void`. The type has a parameter only so that it reads and is called like
  /// `OperationGraph.Done` and `SerialQueue.Done`.
  public struct Done<Value: Sendable>: Sendable {
    private let token: OperationCompletion

    init(_ token: OperationCompletion) { self.token = token }

    /// Ends the operation. A failure with a `CancellationError` ends it as cancelled.
    public func callAsFunction(_ result: Result<Value, any Error>) {
      token.complete(result.map { _ in () })
    }

    /// Ends the operation with a success.
    public func callAsFunction(_ value: Value) { self(.success(value)) }

    /// Ends the operation with a failure. A `CancellationError` ends it as cancelled.
    public func callAsFunction(throwing error: any Error) { self(.failure(error)) }

    /// The handler as a closure, for functions that take a completion handler. Calling or releasing the closure has the
    /// same effect as calling or releasing the handler.
    // Disfavored, so that `let end = done.closure` of a `Done<Void>` is the closure without arguments.
    @_disfavoredOverload
    public var closure: @Sendable (Result<Value, any Error>) -> Void { { self($0) } }

    /// Whether the operation was cancelled while running.
    public var isCancelled: Bool { token.operation.cancellation.isCancelled }

    /// Calls `handler` once if the operation is cancelled while running, or immediately if it already was.
    ///
    /// Dispose of the registration when the work has ended.
    @discardableResult
    public func onCancel(
      _ handler: @escaping @Sendable () -> Void
    ) -> Cancellation.Registration {
      token.operation.cancellation.onCancel(handler)
    }
  }

  /// Guards the completion of one operation.
  final class OperationCompletion: Sendable {
    let operation: AsyncOperation
    private let runtime: any Runtime
    private let isCalled = Atomic<Bool>(false)

    init(_ operation: AsyncOperation, _ runtime: any Runtime) {
      self.operation = operation
      self.runtime = runtime
    }

    deinit {
      guard !isCalled.load(ordering: .acquiring) else { return }
      // A lock may be held where the last reference is released, so report from another thread.
      let (operation, runtime) = (operation, runtime)
      runtime.pool.schedule {
        let error = CompletionDropped(step: operation.name)
        runtime.misuse("completion-dropped", error.description)
        operation.end(.failure(error))
      }
    }

    func complete(_ result: Result<Void, any Error>) {
      guard !isCalled.exchange(true, ordering: .acquiringAndReleasing) else {
        return runtime.misuse(
          "completed-twice",
          "“\(operation.name)” called its completion again; the second call was ignored: call it only once",
          of: LaneContext.current.span)
      }
      operation.end(result)
    }
  }
}

extension AsyncOperation.Done where Value == Void {
  /// Ends the operation with a success.
  public func callAsFunction() { self(.success(())) }

  /// The handler as a closure without arguments.
  public var closure: @Sendable () -> Void { { self() } }
}
