/// A scheduler as a `Clock`, so that asynchronous code sleeps on the runtime's time.
public struct SchedulerClock: Clock {
  public typealias Duration = Swift.Duration
  /// The scheduler whose time this clock shows.
  public let scheduler: any Scheduler

  /// The clock of `scheduler`, which also resumes the tasks that sleep.
  public init(_ scheduler: any Scheduler) { self.scheduler = scheduler }

  /// The scheduler's time.
  public var now: Instant { scheduler.now }
  /// A nanosecond, the resolution of `Instant`.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let sleeper = Sleeper()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        sleeper.begin(continuation) {
          scheduler.schedule(after: scheduler.now.duration(to: deadline)) {
            sleeper.end(.success(()))
          }
        }
      }
    } onCancel: {
      sleeper.end(.failure(CancellationError()))
    }
  }
}

/// A continuation that is resumed by a timer or by a cancellation, whichever comes first.
private final class Sleeper: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    var timer: (any Cancellable)?
    var ending: Result<Void, any Error>?
  }

  private let state = Locked(State())

  func begin(
    _ continuation: CheckedContinuation<Void, any Error>, startTimer: () -> any Cancellable
  ) {
    state.withLock { $0.continuation = continuation }
    let timer = startTimer()
    let isFinished = state.withLock { state in
      state.timer = timer
      return state.ending != nil
    }
    if isFinished {
      timer.cancel()
      resume()
    }
  }

  func end(_ ending: Result<Void, any Error>) {
    let timer = state.withLock { state -> (any Cancellable)? in
      if state.ending == nil { state.ending = ending }
      return state.timer
    }
    if case .failure = ending { timer?.cancel() }
    resume()
  }

  private func resume() {
    let ready = state.withLock {
      state -> (CheckedContinuation<Void, any Error>, Result<Void, any Error>)? in
      guard let continuation = state.continuation, let ending = state.ending else { return nil }
      state.continuation = nil
      return (continuation, ending)
    }
    if let (continuation, ending) = ready { continuation.resume(with: ending) }
  }
}
