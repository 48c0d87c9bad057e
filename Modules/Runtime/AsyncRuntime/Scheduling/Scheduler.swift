/// Runs jobs, now or later, one after another or in parallel.
///
/// No job runs inside the call that schedules it. A job is released once it has run or was
/// cancelled. Both functions can be called from any thread.
public protocol Scheduler: Sendable {
  /// The time on the runtime's clock.
  var now: Instant { get }

  /// Two schedulers with the same identity are the same one. By default it is nil for a value type, because a copy of a
  /// value cannot be recognized as the same scheduler.
  var identity: ObjectIdentifier? { get }

  /// Runs `job` as soon as the scheduler can. Jobs start in the order in which they were scheduled.
  func schedule(_ job: @escaping @Sendable () -> Void)

  /// Runs `job` once `delay` has passed, never earlier, unless it is cancelled before. Jobs with the same deadline
  /// start in the order in which they were scheduled.
  ///
  /// - Parameter delay: of any length; below zero counts as zero.
  @discardableResult
  func schedule(after delay: Duration, _ job: @escaping @Sendable () -> Void) -> any Cancellable
}

extension Scheduler {
  public var identity: ObjectIdentifier? { nil }
}

extension Scheduler where Self: AnyObject {
  public var identity: ObjectIdentifier? { ObjectIdentifier(self) }
}

/// Something that can be cancelled.
public protocol Cancellable: AnyObject, Sendable {
  /// Cancels it. A second call, or one that comes too late, has no effect.
  func cancel()
}
