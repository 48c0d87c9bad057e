internal import Dispatch

/// One firing of a Dispatch timer, as exact as the machine can.
final class LiveTimer: Cancellable {
  /// Dispatch objects may be used from any thread; their Swift types do not say so.
  private struct Source: @unchecked Sendable {
    let timer: any DispatchSourceTimer
  }

  /// Where all timers fire; they only hand on. Its class has threads of its own, so that no crowd of
  /// parked threads of the ordinary class keeps time from passing.
  private static let queue = DispatchQueue(label: "timers", qos: .userInteractive)

  private let source: Locked<Source?>

  init(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
    let source = Source(timer: DispatchSource.makeTimerSource(flags: .strict, queue: Self.queue))
    self.source = Locked(source)
    let nanoseconds = max(delay.wholeNanoseconds, 0)
    source.timer.schedule(
      deadline: .now() + .nanoseconds(Int(nanoseconds)), leeway: .nanoseconds(0))
    source.timer.setEventHandler {
      // The handler holds the timer until it fires, and lets go of it here.
      if self.release() { action() }
    }
    source.timer.activate()
  }

  func cancel() { _ = release() }

  /// Whether it was still to fire.
  private func release() -> Bool {
    let source = source.withLock { source in
      defer { source = nil }
      return source
    }
    source?.timer.cancel()
    source?.timer.setEventHandler(handler: nil)
    return source != nil
  }
}
