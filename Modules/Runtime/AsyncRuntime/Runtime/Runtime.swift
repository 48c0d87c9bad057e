/// Where all time and all threads come from.
///
/// All functions can be called from any thread. A scheduled job runs on behalf of the step that scheduled it: the job
/// carries the span, so that the trace knows which step works or blocks.
///
/// `LiveRuntime` uses the machine's clock and threads. `SimulatedRuntime`, in the module AsyncSimulation, has a virtual
/// clock. A runtime of your own needs the nine members that have no default.
public protocol Runtime: Sendable {
  /// Serial; the run loop.
  var main: any RunLoopScheduler { get }
  /// Concurrent, on `width` workers.
  var pool: any Scheduler { get }
  /// How many jobs the pool runs in parallel, at least one.
  var width: Int { get }
  /// Records what happens. Nil costs next to nothing.
  var trace: (any TraceSink)? { get }

  /// A scheduler that runs its jobs one after another, first in, first out, on the workers of the pool. It holds a
  /// worker only while it runs a job.
  func serial(_ label: String) -> any Scheduler

  /// A run loop beside the main one: a lane that uses no worker of the pool. It exists as long as the loop is
  /// referenced or has jobs.
  func runLoop(_ label: String) -> any RunLoopScheduler

  /// A semaphore whose `wait` blocks the calling worker. Only for code that exists to show blocking.
  ///
  /// - Parameter value: how many permits it has at first; below zero counts as none.
  func semaphore(_ value: Int) -> any BlockingSemaphore

  /// Occupies the calling thread as `activity` says, and returns when `duration` has passed.
  ///
  /// Code that waits for the code on the stack to return must run first: an implementation calls
  /// ``LaneContext/willBlock()`` before it blocks. A duration of zero or less costs nothing on a live clock. On a
  /// virtual clock, other jobs run first even then.
  ///
  /// - Parameter cancellation: ends it early.
  func occupy(
    _ activity: WorkerActivity, for duration: Duration, unless cancellation: Cancellation?)

  /// Chooses one of `count` equal possibilities: at random on a live clock, by the seed or the schedule on a virtual
  /// one. An exploration tries all of them.
  ///
  /// - Returns: 0 to `count` - 1, and 0 if `count` is below 1.
  func choose(_ count: Int) -> Int

  /// What a virtual clock needs beyond that. Nil, the default, stands for a live clock.
  var virtual: (any VirtualRuntime)? { get }
}

/// The way in which a worker is occupied.
public enum WorkerActivity: Sendable {
  /// Its thread uses CPU time.
  case working
  /// Its thread is blocked.
  case blocking
}

/// A counting semaphore that blocks the thread that waits.
public protocol BlockingSemaphore: Sendable {
  /// Takes a permit; blocks the calling worker while there is none.
  ///
  /// Code that waits for the code on the stack to return runs first, since it may give the permit. The order in which
  /// several waiting threads get permits is not guaranteed.
  func wait()
  /// Gives a permit, from any thread. There may be more permits than at first.
  func signal()
}

extension Runtime {
  public var virtual: (any VirtualRuntime)? { nil }

  /// The kind of its clock: virtual if it is a ``VirtualRuntime`` or wraps one.
  public var clockKind: ClockKind { virtual == nil ? .live : .virtual }

  /// The runtime's clock. Instants of two runtimes must not be compared.
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
