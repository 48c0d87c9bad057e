/// The source of all time and of all threads.
///
/// All functions can be called from any thread. A scheduled job runs on behalf of the step that scheduled it. The job
/// carries the span, so the trace knows which step works or blocks.
///
/// `LiveRuntime` uses the machine's clock and threads. `SimulatedRuntime`, in the module AsyncSimulation, has a virtual
/// clock. A runtime of your own needs the nine members that have no default.
public protocol Runtime: Sendable {
  /// The main lane, which is serial: the run loop.
  var main: any RunLoopScheduler { get }
  /// The pool, which runs jobs in parallel on `width` workers.
  var pool: any Scheduler { get }
  /// The number of jobs that the pool runs in parallel, at least one.
  var width: Int { get }
  /// Records the events of the runtime. Nil costs next to nothing.
  var trace: (any TraceSink)? { get }

  /// A scheduler that runs its jobs one after another, first in, first out, on the workers of the pool. It holds a
  /// worker only while it runs a job.
  func serial(_ label: String) -> any Scheduler

  /// A run loop beside the main one, on a lane that uses no worker of the pool. The lane exists as
  /// long as the loop is referenced or has jobs.
  func runLoop(_ label: String) -> any RunLoopScheduler

  /// A semaphore whose `wait` blocks the calling worker. Use it only in code that demonstrates
  /// blocking.
  ///
  /// - Parameter value: the number of permits at first; below zero counts as none.
  func semaphore(_ value: Int) -> any BlockingSemaphore

  /// Occupies the calling thread as `activity` says, and returns when `duration` has passed.
  ///
  /// The deferred code of the thread must run first: see ``LaneContext``. So an implementation calls
  /// ``LaneContext/willBlock()`` before it blocks. A duration of zero or less costs nothing on a
  /// live clock. On a virtual clock, the jobs that are ready still run before the call returns.
  ///
  /// - Parameter cancellation: ends the occupation early.
  func occupy(
    _ activity: WorkerActivity, for duration: Duration, cancellation: Cancellation?)

  /// Chooses one of `count` equal possibilities. A live clock chooses at random, and a virtual
  /// clock by the seed or the schedule. An exploration tries all of them.
  ///
  /// - Returns: 0 to `count` - 1, or 0 if `count` is below 1.
  func choose(_ count: Int) -> Int

  /// The additional functions of a virtual clock. Nil, the default, means a live clock.
  var virtual: (any VirtualRuntime)? { get }
}

/// The way in which a worker is occupied.
public enum WorkerActivity: Sendable {
  /// The thread uses CPU time.
  case working
  /// The thread is blocked.
  case blocking
}

/// A counting semaphore. Its `wait` blocks the calling thread.
public protocol BlockingSemaphore: Sendable {
  /// Takes a permit; blocks the calling worker while there is none.
  ///
  /// The deferred code of the thread runs first, since it may give the permit: see ``LaneContext``.
  /// If several threads wait, the order in which they get permits is not guaranteed.
  func wait()
  /// Gives a permit, from any thread. There may then be more permits than at first.
  func signal()
}

extension Runtime {
  public var virtual: (any VirtualRuntime)? { nil }

  /// The kind of the runtime's clock: virtual if the runtime is a ``VirtualRuntime`` or wraps one.
  public var clockKind: ClockKind { virtual == nil ? .live : .virtual }

  /// The time on the runtime's clock. Instants of two runtimes must not be compared.
  public var now: Instant { pool.now }

  /// The runtime's clock for asynchronous code. The pool resumes the tasks that sleep on it.
  public var clock: SchedulerClock { SchedulerClock(pool) }

  /// Calls `action` each time the run loop of the main lane is about to wait, or exits. See
  /// ``RunLoopScheduler/atEndOfTurn(order:_:)``.
  public func atEndOfTurn(
    order: Int, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    main.atEndOfTurn(order: order, action)
  }

  /// Makes the run loop of the main lane take another turn: see ``RunLoopScheduler/wake()``.
  public func wakeMain() { main.wake() }
}
