import AsyncRuntime

extension Promise {
  /// The value, once the promise is fulfilled.
  ///
  /// If the awaiting task is cancelled, the wait ends immediately with a `CancellationError`.
  /// `Failure` must allow that error, as `any Error` does; otherwise the wait continues. When the
  /// wait ends in this way, the promise loses a handler. If that was its last handler and its chain
  /// has `whenUnused: .cancel`, it is cancelled.
  ///
  /// Some promises are never settled: `never`, a promise with an abandoned resolver, or a cancelled
  /// promise whose `Failure` cannot be a `CancellationError`. Awaiting such a promise throws
  /// `WaitRefused`, if `Failure` can be that error. Otherwise the task stays suspended, and this is
  /// reported as `never-completed`.
  public var value: Success {
    get async throws(Failure) { try await result.get() }
  }

  /// The result, once the promise is settled. Cancellation, and promises that are never settled, work as for `value`.
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
  /// The value, once the promise is fulfilled. Cancelling the awaiting task does not end the wait.
  public var value: Success {
    // The general `value` would suffice, but the compiler (6.3) crashes on a getter that throws `Never`.
    get async { await result.get() }
  }
}

/// A suspended task that is resumed either by a promise or by a cancellation, whichever comes first.
private final class AwaitedPromise<Success: Sendable, Failure: Error>: Sendable {
  // Not a checked continuation: this type itself reports one that is never resumed, with the place where the promise
  // was made.
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
    let detector = ReleaseDetector(self)
    let listening = promise.whenComplete(on: .inline) { detector.wait.resume($0) }
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

  /// Called when the promise has released its handler without calling it. Then the promise is settled, and its chain
  /// was cancelled; or it will never be settled.
  fileprivate func lose() {
    guard let continuation = state.withLock({ $0.continuation.take() }) else { return }
    if let result = promise.current { return continuation.resume(returning: result) }
    let refused = WaitRefused(
      "it will never be settled; resolve it on every path", promise.storage.site)
    if let error = refused as? Failure { return continuation.resume(returning: .failure(error)) }
    let span = LaneContext.current.span
    LateReport.misuse("never-completed", of: span, on: promise.context.runtime) {
      "a task awaits the promise made at \(refused.site), which was cancelled or released, and whose error "
        + "type cannot express that: the task stays suspended; settle the promise on every path, or let it fail with "
        + "any error"
    }
  }

  /// An object that the promise retains until it has reported its result. If the object is released
  /// earlier, the promise does not report a result.
  private final class ReleaseDetector: Sendable {
    let wait: AwaitedPromise
    init(_ wait: AwaitedPromise) { self.wait = wait }
    deinit { wait.lose() }
  }
}
