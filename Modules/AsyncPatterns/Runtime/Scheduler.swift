/// Runs jobs: now or later, one after another or side by side.
public protocol Scheduler: Sendable {
  var now: Instant { get }

  /// Runs `job` as soon as the scheduler can; jobs start in the order they were scheduled.
  func schedule(_ job: @escaping @Sendable () -> Void)

  /// Runs `job` once `delay` has passed, unless it is cancelled before; jobs of one deadline start in
  /// the order they were scheduled.
  @discardableResult
  func schedule(after delay: Duration, _ job: @escaping @Sendable () -> Void) -> any Cancellable
}

/// Something that can be called off. Calling it off twice, or too late, does nothing.
public protocol Cancellable: Sendable {
  func cancel()
}
