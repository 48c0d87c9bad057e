import AsyncPatterns

extension Promise {
  /// The value, once it is there.
  ///
  /// Cancelling the task that awaits ends the wait at once with a `CancellationError`, if `Failure` can
  /// be that error, as `any Error` can; otherwise the wait goes on. The promise then has a listener less: if
  /// that was the last one, and it was made so that the unused is cancelled, it is.
  public var value: Success {
    get async throws(Failure) { try await result.get() }
  }

  /// What came of it, once it is settled; as `value` as far as cancellation goes.
  public var result: Result<Success, Failure> {
    get async {
      guard let cancelled = CancellationError() as? Failure else {
        return await withCheckedContinuation { continuation in
          whenComplete(on: .inline) { continuation.resume(returning: $0) }
        }
      }
      let wait = AwaitedPromise(self, cancelled: .failure(cancelled))
      return await withTaskCancellationHandler {
        await withCheckedContinuation { wait.begin($0) }
      } onCancel: {
        wait.cancel()
      }
    }
  }
}

extension Promise where Failure == Never {
  /// The value, once it is there. Cancelling the task that awaits does not end the wait.
  public var value: Success {
    // The general one would do, but the compiler (6.3) crashes on a getter that throws `Never`.
    get async { await result.get() }
  }
}

/// A suspended task that a promise and a cancellation race for.
private final class AwaitedPromise<Success: Sendable, Failure: Error>: Sendable {
  private typealias Outcome = Result<Success, Failure>

  private struct State: Sendable {
    var continuation: CheckedContinuation<Outcome, Never>?
    var listening: Promise<Void, Never>?
    var isCancelled = false
  }

  private let promise: Promise<Success, Failure>
  private let cancelled: Result<Success, Failure>
  private let state = Locked(State())

  init(_ promise: Promise<Success, Failure>, cancelled: Result<Success, Failure>) {
    self.promise = promise
    self.cancelled = cancelled
  }

  func begin(_ continuation: CheckedContinuation<Result<Success, Failure>, Never>) {
    state.withLock { $0.continuation = continuation }
    let listening = promise.whenComplete(on: .inline) { self.resume($0) }
    let isCancelled = state.withLock { state in
      state.listening = listening
      return state.isCancelled
    }
    if isCancelled { cancel() }
  }

  func cancel() {
    let listening = state.withLock { state in
      state.isCancelled = true
      return state.listening.take()
    }
    guard let listening else { return }
    listening.cancel()
    resume(cancelled)
  }

  private func resume(_ result: Result<Success, Failure>) {
    state.withLock { $0.continuation.take() }?.resume(returning: result)
  }
}
