import AsyncPatterns
import AsyncSimulation

/// Waits, for a limited time and without blocking a thread, for work that ends on a thread of a simulation.
enum AwaitedEnd {
  /// How long the work may take to end after its cancellation.
  static let grace = Duration.seconds(2)

  /// Calls `start` with a closure, and waits for the result that is passed to the closure.
  ///
  /// - Parameters:
  ///   - limit: the time limit of the work, in real time. When it has passed, the work is cancelled. The work is also
  ///     cancelled if the calling task is cancelled.
  ///   - start: starts the work, and returns an object that cancels it.
  /// - Returns: nil if the closure was not called within a grace period after the limit or the cancellation.
  static func wait<Result: Sendable>(
    atMost limit: Duration,
    _ start: (@escaping @Sendable (Result) -> Void) -> any Cancellable
  ) async -> Result? {
    let waiting = Waiting<Result>()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting.begin(continuation)
        waiting.watch(start { waiting.end($0) }, atMost: limit)
      }
    } onCancel: {
      waiting.cancel()
    }
  }
}

private final class Waiting<Result: Sendable>: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Result?, Never>?
    var work: (any Cancellable)?
    var timers: [any Cancellable] = []
    var isCancelled = false
    var isFinished = false
  }

  private let state = Locked(State())

  func begin(_ continuation: CheckedContinuation<Result?, Never>) {
    state.withLock { $0.continuation = continuation }
  }

  func watch(_ work: any Cancellable, atMost limit: Duration) {
    let isCancelled = state.withLock { state in
      state.work = work
      return state.isCancelled
    }
    if isCancelled { work.cancel() }
    let clock = LiveRuntime.shared.pool
    keep(clock.schedule(after: limit) { self.cancel() })
    keep(clock.schedule(after: limit + AwaitedEnd.grace) { self.end(nil) })
  }

  /// Keeps a timer until the end. If the end has come already, cancels the timer immediately.
  private func keep(_ timer: any Cancellable) {
    let isFinished = state.withLock { state in
      if !state.isFinished { state.timers.append(timer) }
      return state.isFinished
    }
    if isFinished { timer.cancel() }
  }

  /// Cancels the work, and gives it a grace period to return.
  func cancel() {
    let work = state.withLock { state -> (any Cancellable)? in
      defer { state.isCancelled = true }
      return state.isCancelled ? nil : state.work
    }
    guard let work else { return }
    work.cancel()
    keep(LiveRuntime.shared.pool.schedule(after: AwaitedEnd.grace) { self.end(nil) })
  }

  func end(_ result: Result?) {
    let (continuation, timers) = state.withLock { state in
      defer { state = State(isFinished: true) }
      return (state.continuation, state.timers)
    }
    for timer in timers { timer.cancel() }
    continuation?.resume(returning: result)
  }
}
