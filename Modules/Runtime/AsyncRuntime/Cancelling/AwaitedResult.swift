/// Holds the result that a suspended task waits for. Only the first result counts. If the task is
/// cancelled, it immediately gets a `CancellationError`.
public final class AwaitedResult<Success: Sendable>: Sendable {
  private struct State: Sendable {
    var continuation: CheckedContinuation<Success, any Error>?
    var result: Result<Success, any Error>?
    var isFinished = false
  }

  private let state = Locked(State())

  private init() {}

  /// Suspends the calling task until the result arrives.
  ///
  /// - Parameter start: is called with a function that takes the result.
  public static func wait(
    _ start: (@escaping @Sendable (Result<Success, any Error>) -> Void) -> Void
  ) async throws -> Success {
    let awaited = AwaitedResult()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        awaited.state.withLock { $0.continuation = continuation }
        awaited.resumeIfReady()
        start { awaited.bring($0) }
      }
    } onCancel: {
      awaited.bring(.failure(CancellationError()))
    }
  }

  private func bring(_ result: Result<Success, any Error>) {
    state.withLock { state in
      if state.result == nil { state.result = result }
    }
    resumeIfReady()
  }

  private func resumeIfReady() {
    let ready = state.withLock {
      state -> (CheckedContinuation<Success, any Error>, Result<Success, any Error>)? in
      guard !state.isFinished, let continuation = state.continuation, let result = state.result
      else { return nil }
      state.isFinished = true
      return (continuation, result)
    }
    if let (continuation, result) = ready { continuation.resume(with: result) }
  }
}
