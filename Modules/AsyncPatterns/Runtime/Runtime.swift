/// Where all time and all threads come from.
///
/// `LiveRuntime` is the machine's own; `SimulatedRuntime`, in the module Simulation, has a virtual clock.
public protocol Runtime: Sendable {
  /// Serial; the run loop.
  var main: any Scheduler { get }
  /// Concurrent, on `width` workers.
  var pool: any Scheduler { get }
  var width: Int { get }
  var clockKind: ClockKind { get }
  var trace: (any TraceSink)? { get }

  /// A scheduler that runs its jobs one after another, on the workers of the pool.
  func serial(_ label: String) -> any Scheduler

  /// A semaphore whose `wait` parks the calling worker: only for what exists to show blocking.
  func semaphore(_ value: Int) -> any BlockingSemaphore

  /// Occupies the calling worker: with CPU time of its thread.
  func work(for duration: Duration)

  /// Parks the calling worker: a blocked thread.
  func block(for duration: Duration)

  /// Occupies a worker of the pool as `activity` says, then runs `job` there.
  ///
  /// - Parameter cancellation: ends it early; `job` runs then, too.
  func occupy(
    _ activity: WorkerActivity, for duration: Duration, unless cancellation: Cancellation,
    then job: @escaping @Sendable () -> Void)

  /// Calls `action` on the main lane each time the run loop is about to wait, or exits.
  ///
  /// Of several, the lower `order` comes first, then the earlier one.
  func atEndOfTurn(order: Int, _ action: @escaping @Sendable () -> Void) -> any Cancellable

  /// Makes the run loop take another turn, even if it waits and nothing else is there to do.
  func wakeMain()

  /// The asynchronous function of a step begins. Such code may leave the runtime and come back, which a
  /// virtual clock has to wait for; the live one need not know.
  func asynchronousBodyStarted(_ span: Span)
  func asynchronousBodyEnded(_ span: Span)
}

/// How a worker is occupied.
public enum WorkerActivity: Sendable {
  case working
  case blocking
}

/// A counting semaphore that parks the thread that waits.
public protocol BlockingSemaphore: Sendable {
  /// Takes a permit; parks the calling worker while there is none.
  func wait()
  /// Gives a permit back.
  func signal()
}

extension Runtime {
  public var now: Instant { pool.now }

  public func asynchronousBodyStarted(_ span: Span) {}
  public func asynchronousBodyEnded(_ span: Span) {}
}
