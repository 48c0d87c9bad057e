internal import AsyncRuntime
internal import Synchronization

extension AsyncOperation {
  /// How completion-handler work says that it has ended.
  ///
  /// The first call counts. A second one is reported as `completed-twice` and has no effect. Letting go of it
  /// uncalled is reported as `completion-dropped` and fails the operation with `CompletionDropped`.
  public struct Done: Sendable {
    private let token: CompletionToken

    init(_ token: CompletionToken) { self.token = token }

    /// Ends the operation. A failure with a `CancellationError` ends it as cancelled.
    public func callAsFunction(_ result: Result<Void, any Error>) { token.complete(result) }

    /// Ends the operation with success.
    public func callAsFunction() { self(.success(())) }

    /// Whether the operation was cancelled while it runs.
    public var isCancelled: Bool { token.operation.cancellation.isCancelled }

    /// Calls `handler` once if the operation is cancelled while it runs; at once if it has been.
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
  final class CompletionToken: Sendable {
    let operation: AsyncOperation
    private let runtime: any Runtime
    private let isCalled = Atomic<Bool>(false)

    init(_ operation: AsyncOperation, _ runtime: any Runtime) {
      self.operation = operation
      self.runtime = runtime
    }

    deinit {
      guard !isCalled.load(ordering: .acquiring) else { return }
      // Somebody's lock may be held where the last reference goes: report from elsewhere.
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
          "“\(operation.name)” called its completion again; the second call was dropped",
          of: LaneContext.current.span)
      }
      operation.end(result)
    }
  }
}
