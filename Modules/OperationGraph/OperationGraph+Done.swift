internal import Synchronization

extension OperationGraph {
  /// How completion-handler work says that it has ended.
  ///
  /// The first call counts. A second one is reported as `completed-twice` and has no effect. Letting go
  /// of it uncalled is reported as `completion-dropped` and fails the operation with `CompletionDropped`.
  /// It keeps the run alive.
  public struct Done: Sendable {
    private let token: OperationToken<Input, Output>

    init(_ token: OperationToken<Input, Output>) { self.token = token }

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

/// Guards the completion of one operation in one run.
final class OperationToken<Input: Sendable, Output: Sendable>: Sendable {
  let run: OperationRun<Input, Output>
  private let operation: Int32
  private let isCalled = Atomic<Bool>(false)

  init(of operation: Int32, in run: OperationRun<Input, Output>) {
    self.operation = operation
    self.run = run
  }

  deinit {
    guard !isCalled.load(ordering: .acquiring) else { return }
    // Somebody's lock may be held where the last reference goes: report from elsewhere.
    let (run, operation) = (run, operation)
    run.runtime.pool.schedule {
      let error = CompletionDropped(step: run.description(of: operation))
      run.runtime.misuse("completion-dropped", error.description)
      run.complete(operation, .failure(error))
    }
  }

  func complete(_ result: Result<Output, any Error>) {
    guard !isCalled.exchange(true, ordering: .acquiringAndReleasing) else {
      run.runtime.misuse(
        "completed-twice",
        "“\(run.description(of: operation))” called its completion again; the second call was dropped",
        of: LaneContext.current.span)
      return
    }
    run.complete(operation, result)
  }
}
