/// Where all time and all threads come from.
///
/// Everything here may be called from any thread. What is scheduled runs on behalf of the step that
/// scheduled it: the span travels along, so that the trace knows who blocks and who works.
///
/// `LiveRuntime` is the machine's own; `SimulatedRuntime`, in the module Simulation, has a virtual clock.
public protocol Runtime: Sendable {
  /// Serial; the run loop.
  var main: any RunLoopScheduler { get }
  /// Concurrent, on `width` workers.
  var pool: any Scheduler { get }
  /// How many jobs the pool runs side by side, at least one.
  var width: Int { get }
  var clockKind: ClockKind { get }
  /// Who is told what happens; nil costs next to nothing.
  var trace: (any TraceSink)? { get }

  /// A scheduler that runs its jobs one after another, in the order they came, on the workers of the
  /// pool. It holds a worker only while it runs a job.
  func serial(_ label: String) -> any Scheduler

  /// A run loop of its own, beside the main one: a lane that holds no worker of the pool, and lasts as long
  /// as somebody holds the loop or something is to run on it.
  func runLoop(_ label: String) -> any RunLoopScheduler

  /// A semaphore whose `wait` parks the calling worker: only for what exists to show blocking.
  ///
  /// - Parameter value: how many permits it begins with; below zero counts as none.
  func semaphore(_ value: Int) -> any BlockingSemaphore

  /// Occupies the calling worker until its thread has spent `duration` of CPU time.
  ///
  /// If that is not above zero it costs nothing: the live clock goes on at once, and a virtual clock lets
  /// others go first even for no time.
  func work(for duration: Duration)

  /// Parks the calling worker for `duration`: a blocked thread. What waits for the code on its stack to
  /// return runs first. For no time it does what `work` does.
  func block(for duration: Duration)

  /// Occupies a worker of the pool as `activity` says, then runs `job` there.
  ///
  /// - Parameters:
  ///   - cancellation: ends it early; `job` runs then, too.
  ///   - begin: called on the worker as soon as there is one, unless it is cancelled by then. It must
  ///     not wait, nor schedule anything.
  func occupy(
    _ activity: WorkerActivity, for duration: Duration, unless cancellation: Cancellation,
    begin: @escaping @Sendable () -> Void, then job: @escaping @Sendable () -> Void)

  /// One of `count` possibilities, where any of them will do: on the live clock a random one, on a virtual
  /// clock what the seed or the schedule says, so that an exploration tries them all.
  ///
  /// - Returns: 0 to `count` - 1, and 0 if `count` is below 1.
  func choose(_ count: Int) -> Int

  /// Whether the calling thread is none of the runtime's, while that is at work. What such a thread brings
  /// goes on where a scheduler runs it: a virtual clock has to know of it, the live one need not.
  var isForeignThread: Bool { get }

  /// The asynchronous function of a step begins. Such code may leave the runtime and come back, which a
  /// virtual clock has to wait for; the live one need not know.
  func asynchronousBodyStarted(_ span: Span)
  func asynchronousBodyEnded(_ span: Span)

  /// Reports that something was used wrongly: to the trace, or to standard error if there is none.
  ///
  /// - Parameters:
  ///   - rule: one of the lint rules, such as `completed-twice`.
  ///   - detail: what was done, where, and the way out.
  ///   - span: who is to blame; `.none` for what runs outside any step.
  func misuse(_ rule: String, _ detail: String, of span: Span)
}

/// How a worker is occupied.
public enum WorkerActivity: Sendable {
  /// With CPU time of its thread.
  case working
  /// With nothing: it stands parked.
  case blocking
}

/// A counting semaphore that parks the thread that waits.
public protocol BlockingSemaphore: Sendable {
  /// Takes a permit; parks the calling worker while there is none.
  ///
  /// Before it parks, what waits for the code on the stack to return runs, since that may be what brings
  /// the permit. Who of several waiting gets a permit first is not promised.
  func wait()
  /// Gives a permit, from any thread. There may be more of them than there were to begin with.
  func signal()
}

extension Runtime {
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

  public var isForeignThread: Bool { false }
  public func asynchronousBodyStarted(_ span: Span) {}
  public func asynchronousBodyEnded(_ span: Span) {}
}
