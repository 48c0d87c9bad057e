import AsyncRuntime

extension Promise {
  /// The value, once it is there.
  ///
  /// Cancelling the task that awaits ends the wait at once with a `CancellationError`, if `Failure` can
  /// be that error, as `any Error` can; otherwise the wait goes on. The promise then has a listener less: if
  /// that was the last one, and it was made so that the unused is cancelled, it is.
  ///
  /// For a promise that will never be settled (`never`, an abandoned resolver, a cancellation that `Failure`
  /// cannot tell) it throws `WaitRefused`, if `Failure` can be that. Otherwise there is nothing to go on
  /// with: the task stays suspended, and that is reported as `never-completed`.
  public var value: Success {
    get async throws(Failure) { try await result.get() }
  }

  /// What came of it, once it is settled; as `value` as far as cancellation goes, and what is never settled.
  public var result: Result<Success, Failure> {
    get async {
      let wait = AwaitedPromise(self)
      guard let cancelled = CancellationError() as? Failure else {
        return await withUnsafeContinuation { wait.begin($0) }
      }
      return await withTaskCancellationHandler {
        await withUnsafeContinuation { wait.begin($0) }
      } onCancel: {
        wait.cancel(cancelled)
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
  // Not a checked one: that it is never resumed is told here, with the place where the promise was made.
  typealias Continuation = UnsafeContinuation<Result<Success, Failure>, Never>

  private struct State: Sendable {
    var continuation: Continuation?
    var listening: Promise<Void, Never>?
    var cancelled: Failure?
  }

  private let promise: Promise<Success, Failure>
  private let state = Locked(State())

  init(_ promise: Promise<Success, Failure>) { self.promise = promise }

  func begin(_ continuation: Continuation) {
    state.withLock { $0.continuation = continuation }
    let ear = Ear(self)
    let listening = promise.whenComplete(on: .inline) { ear.wait.resume($0) }
    let cancelled = state.withLock { state in
      state.listening = listening
      return state.cancelled
    }
    if let cancelled { cancel(cancelled) }
  }

  func cancel(_ error: Failure) {
    let (listening, continuation) = state.withLock { state in
      state.cancelled = error
      let listening = state.listening.take()
      return (listening, listening == nil ? nil : state.continuation.take())
    }
    listening?.cancel()
    continuation?.resume(returning: .failure(error))
  }

  func resume(_ result: Result<Success, Failure>) {
    state.withLock { $0.continuation.take() }?.resume(returning: result)
  }

  /// Nobody will hear of the promise any more.
  fileprivate func lose() {
    guard let continuation = state.withLock({ $0.continuation.take() }) else { return }
    let refused = WaitRefused("it will never be settled", promise.storage.site)
    if let error = refused as? Failure { return continuation.resume(returning: .failure(error)) }
    let span = LaneContext.current.span
    LateReport.misuse("never-completed", of: span, on: promise.context.runtime) {
      "a task awaits the promise made at \(refused.site), which was cancelled or let go of and cannot tell by its "
        + "type: the task stays suspended; settle it on every path, or give it an error that can be any"
    }
  }

  /// What the promise holds as long as it has something to tell.
  private final class Ear: Sendable {
    let wait: AwaitedPromise
    init(_ wait: AwaitedPromise) { self.wait = wait }
    deinit { wait.lose() }
  }
}
