internal import AsyncRuntime
internal import Synchronization

extension AsyncOperation {
  /// The completion handler that completion-handler work calls to report that it has ended.
  ///
  /// The first call counts. A second call is reported as `completed-twice` and has no effect. Releasing the handler
  /// without calling it is reported as `completion-dropped`, and fails the operation with `CompletionDropped`.
  public struct Done: Sendable {
    private let token: OperationCompletion

    init(_ token: OperationCompletion) { self.token = token }

    /// Ends the operation. A failure with a `CancellationError` ends it as cancelled.
    public func callAsFunction(_ result: Result<Void, any Error>) { token.complete(result) }

    /// Ends the operation with success.
    public func callAsFunction() { self(.success(())) }

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
          "“\(operation.name)” called its completion again; the second call was ignored",
          of: LaneContext.current.span)
      }
      operation.end(result)
    }
  }
}
