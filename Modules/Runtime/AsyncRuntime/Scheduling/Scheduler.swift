/// Runs jobs: now or later, one after another or side by side.
///
/// No job runs inside the call that schedules it, and each is let go of once it has run or has been
/// called off. Both functions may be called from any thread.
public protocol Scheduler: Sendable {
  /// The runtime's clock.
  var now: Instant { get }

  /// Runs `job` as soon as the scheduler can; jobs start in the order they were scheduled.
  func schedule(_ job: @escaping @Sendable () -> Void)

  /// Runs `job` once `delay` has passed, never earlier, unless it is cancelled before; jobs of one
  /// deadline start in the order they were scheduled.
  ///
  /// - Parameter delay: below zero counts as none; there is no longest one.
  @discardableResult
  func schedule(after delay: Duration, _ job: @escaping @Sendable () -> Void) -> any Cancellable
}

/// Something that can be called off.
public protocol Cancellable: AnyObject, Sendable {
  /// Calls it off. Twice, or too late, does nothing.
  func cancel()
}
