import AsyncPatterns

/// Timers for time limits and grace periods. They fire whatever else is running: a step may hold the main thread, and
/// others may hold all workers of their run.
enum Alarms {
  /// The threads of the alarms, which no run uses. There are several, since the handler of a cancellation may be slow.
  private static let runtime = LiveRuntime(workers: LiveRuntime.defaultWidth)

  /// Calls `body` on one of these threads after `delay`, unless the returned timer is cancelled before.
  static func schedule(
    after delay: Duration, _ body: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    runtime.pool.schedule(after: delay, body)
  }
}
