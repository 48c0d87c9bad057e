/// Where all time and all threads come from.
///
/// Everything here may be called from any thread. What is scheduled runs on behalf of the step that
/// scheduled it: the span travels along, so that the trace knows who blocks and who works.
///
/// `LiveRuntime` is the machine's own; `SimulatedRuntime`, in the module AsyncSimulation, has a virtual clock. A runtime of
/// your own needs the nine members that have no default.
public protocol Runtime: Sendable {
  /// Serial; the run loop.
  var main: any RunLoopScheduler { get }
  /// Concurrent, on `width` workers.
  var pool: any Scheduler { get }
  /// How many jobs the pool runs side by side, at least one.
  var width: Int { get }
  /// Who is told what happens; nil costs next to nothing.
  var trace: (any TraceSink)? { get }

  /// A scheduler that runs its jobs one after another, in the order they came, on the workers of the
  /// pool. It holds a worker only while it runs a job.
  func serial(_ label: String) -> any Scheduler

  /// A run loop of its own, beside the main one: a lane that holds no worker of the pool, and lasts as long
  /// as somebody holds the loop or something is to run on it.
  func runLoop(_ label: String) -> any RunLoopScheduler

  /// A semaphore whose `wait` blocks the calling worker: only for what exists to show blocking.
  ///
  /// - Parameter value: how many permits it begins with; below zero counts as none.
  func semaphore(_ value: Int) -> any BlockingSemaphore

  /// Occupies the calling thread as `activity` says, and returns when `duration` has passed.
  ///
  /// Before it blocks, what waits for the code on its stack to return runs: call ``LaneContext/willPark()``. Not above
  /// zero, the duration costs nothing on a live clock; a virtual clock lets others go first even for no time.
  ///
  /// - Parameter cancellation: ends it early.
  func occupy(
    _ activity: WorkerActivity, for duration: Duration, unless cancellation: Cancellation?)

  /// One of `count` possibilities, where any of them will do: on the live clock a random one, on a virtual
  /// clock what the seed or the schedule says, so that an exploration tries them all.
  ///
  /// - Returns: 0 to `count` - 1, and 0 if `count` is below 1.
  func choose(_ count: Int) -> Int

  /// What a virtual clock has to know beyond that; nil, the default, is a live clock.
  var virtual: (any VirtualRuntime)? { get }
}

/// How a worker is occupied.
public enum WorkerActivity: Sendable {
  /// With CPU time of its thread.
  case working
  /// With nothing: its thread is blocked.
  case blocking
}

/// A counting semaphore that blocks the thread that waits.
public protocol BlockingSemaphore: Sendable {
  /// Takes a permit; blocks the calling worker while there is none.
  ///
  /// Before it blocks, what waits for the code on the stack to return runs, since that may be what brings
  /// the permit. Which of several waiting threads gets a permit first is not promised.
  func wait()
  /// Gives a permit, from any thread. There may be more of them than there were to begin with.
  func signal()
}

extension Runtime {
  public var virtual: (any VirtualRuntime)? { nil }

  /// Which clock it has: a virtual one if it is a ``VirtualRuntime``, or wraps one.
  public var clockKind: ClockKind { virtual == nil ? .live : .virtual }

  /// The runtime's clock. Instants of two runtimes must not be compared.
  public var now: Instant { pool.now }

  /// The runtime's clock, for asynchronous code; what has slept on it comes back by way of the pool.
  public var clock: SchedulerClock { SchedulerClock(pool) }

  /// Calls `action` each time the run loop of the main lane is about to wait, or exits: see
  /// ``RunLoopScheduler/atEndOfTurn(order:_:)``.
  public func atEndOfTurn(
    order: Int, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    main.atEndOfTurn(order: order, action)
  }

  /// Makes the run loop of the main lane take another turn: see ``RunLoopScheduler/wake()``.
  public func wakeMain() { main.wake() }
}
