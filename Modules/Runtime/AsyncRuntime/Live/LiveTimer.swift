internal import Dispatch

/// A Dispatch timer that fires once, as precisely as the machine can.
final class LiveTimer: Cancellable {
  /// Dispatch objects can be used from any thread, but their Swift types do not say so.
  private struct Source: @unchecked Sendable {
    let timer: any DispatchSourceTimer
  }

  /// The queue on which all timers fire; their handlers only schedule jobs. Its class of service has threads of its
  /// own, so that blocked threads of the default class never delay a timer.
  private static let queue = DispatchQueue(label: "timers", qos: .userInteractive)

  private struct State: Sendable {
    let source: Source
    /// Not in the event handler, which Dispatch releases on the queue of the timers. A job is released on the thread
    /// that cancels or runs it, since releasing its objects could delay other timers.
    let job: Job
  }

  /// Nil after the timer fired or was cancelled.
  private let state: Locked<State?>

  /// - Parameter schedule: called with the job when the time has passed.
  init(after delay: Duration, _ job: Job, _ schedule: @escaping @Sendable (Job) -> Void) {
    let source = Source(timer: DispatchSource.makeTimerSource(flags: .strict, queue: Self.queue))
    state = Locked(State(source: source, job: job))
    let nanoseconds = max(delay.wholeNanoseconds, 0)
    source.timer.schedule(
      deadline: .now() + .nanoseconds(Int(nanoseconds)), leeway: .nanoseconds(0))
    source.timer.setEventHandler {
      // The handler retains the timer until it fires, and releases it here.
      if let job = self.stop()?.handedOver() { schedule(job) }
    }
    source.timer.activate()
  }

  func cancel() { _ = stop() }

  /// Stops the timer. Returns its job, if it had neither fired nor been cancelled before.
  private func stop() -> Job? {
    guard let state = state.withLock({ $0.take() }) else { return nil }
    state.source.timer.cancel()
    state.source.timer.setEventHandler(handler: nil)
    return state.job
  }
}
