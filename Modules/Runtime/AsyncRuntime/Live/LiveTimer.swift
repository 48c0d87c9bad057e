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

  private let source: Locked<Source?>

  init(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
    let source = Source(timer: DispatchSource.makeTimerSource(flags: .strict, queue: Self.queue))
    self.source = Locked(source)
    let nanoseconds = max(delay.wholeNanoseconds, 0)
    source.timer.schedule(
      deadline: .now() + .nanoseconds(Int(nanoseconds)), leeway: .nanoseconds(0))
    source.timer.setEventHandler {
      // The handler retains the timer until it fires, and releases it here.
      if self.release() { action() }
    }
    source.timer.activate()
  }

  func cancel() { _ = release() }

  /// Stops the timer. Returns whether it had neither fired nor been cancelled before.
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
