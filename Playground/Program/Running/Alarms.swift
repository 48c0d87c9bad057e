import AsyncPatterns

/// What is to happen at a time limit, or when a grace is over, whatever runs then: a step may hold the main thread,
/// and others all workers of their run.
enum Alarms {
  /// Threads that no run uses. Several, since a handler that is told of the end may take its time.
  private static let runtime = LiveRuntime(workers: LiveRuntime.defaultWidth)

  /// Calls `body` on a thread of its own, unless it has been called off by then.
  static func schedule(
    after delay: Duration, _ body: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    runtime.pool.schedule(after: delay, body)
  }
}
