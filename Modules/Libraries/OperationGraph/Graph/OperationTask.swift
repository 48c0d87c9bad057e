internal import AsyncRuntime

extension OperationToken {
  /// Runs an asynchronous function in a task, which calling the operation off cancels, and ends with it.
  ///
  /// - Parameter slot: where its value is to stand.
  func startTask<Value: Sendable>(
    storingAt slot: Int32, _ body: @escaping @Sendable () async throws -> Value
  ) {
    let (runtime, span) = (host.runtime, LaneContext.current.span)
    let executor = host.executor(for: host.span(of: operation))
    let registration = KeptRegistration()
    runtime.asynchronousBodyStarted(span)
    let task = Task(executorPreference: executor) {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      runtime.asynchronousBodyEnded(span)
      registration.dispose()
      self.complete(result, at: slot)
    }
    registration.keep(cancellation.onCancel { task.cancel() })
  }
}

extension OperationHost {
  /// Where asynchronous functions run.
  ///
  /// - Parameter span: on whose behalf; `.none` for that of whoever resumes them.
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

/// A registration that may be disposed of before it has come to be kept.
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
