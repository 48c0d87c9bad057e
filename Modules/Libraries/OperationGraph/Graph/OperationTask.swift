internal import AsyncRuntime

extension OperationToken {
  /// Runs an asynchronous function in a task, and ends the operation with its result. Cancelling the operation cancels
  /// the task.
  func startTask<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) {
    let (runtime, span) = (host.runtime, LaneContext.current.span)
    let executor = host.executor(for: host.span(of: operation))
    let registration = KeptRegistration()
    runtime.asynchronousBodyStarted(span)
    let task = Task(executorPreference: executor) {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      runtime.asynchronousBodyEnded(span)
      registration.dispose()
      OperationGraph.Done<Value>(self)(result)
    }
    registration.keep(cancellation.onCancel { task.cancel() })
  }
}

extension OperationHost {
  /// The executor for asynchronous functions.
  ///
  /// - Parameter span: the span that the code runs for; with `.none`, it is the span of the code that resumes the
  ///   function.
  fileprivate func executor(for span: Span) -> SchedulerExecutor {
    let scheduler: any Scheduler =
      switch placement {
      case .main: runtime.main
      case .pool, .inline: runtime.pool
      case .scheduler(let scheduler): scheduler
      }
    return span == .none ? SchedulerExecutor(scheduler) : SchedulerExecutor(scheduler, span: span)
  }
}

/// A registration that may be disposed of before it is stored.
private final class KeptRegistration: Sendable {
  private enum State {
    case expected
    case kept(Cancellation.Registration)
    case disposed
  }

  private let state = Locked(State.expected)

  func keep(_ registration: Cancellation.Registration) {
    let isDisposed = state.withLock { state in
      if case .disposed = state { return true }
      state = .kept(registration)
      return false
    }
    if isDisposed { registration.dispose() }
  }

  func dispose() {
    let registration = state.withLock { state -> Cancellation.Registration? in
      defer { state = .disposed }
      if case .kept(let registration) = state { return registration }
      return nil
    }
    registration?.dispose()
  }
}
