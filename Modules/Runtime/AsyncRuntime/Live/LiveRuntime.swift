internal import Dispatch

/// The clock and the threads of the machine. The workers are threads, and the timers and the main
/// queue are those of Dispatch. The run loop is that of the main thread.
///
/// ```swift
/// let runtime = LiveRuntime(workers: 2)
/// runtime.pool.schedule(after: .milliseconds(10)) { print("ten milliseconds later") }
/// ```
///
/// The runtime is a value, and its copies share the workers. Each run can have its own trace: see
/// `tracing(to:)`. Durations can have any length: below zero they count as zero, and beyond 292
/// years they never end.
///
/// `main` is the main lane, regardless of the thread that serves the main queue. Actions at the end
/// of a turn need the run loop, so a synchronous `main` must call `CFRunLoopRun()`. In a program
/// that does not do so, they run on the main queue when `wakeMain()` is called. A line on standard
/// error then says so once.
public struct LiveRuntime: Runtime {
  // At most three words, so that `any Runtime` holds it without an allocation.
  private let livePool: LivePool
  private let tracedPool: TracedPool?

  /// The default of all libraries: `defaultWidth` workers, and no trace.
  ///
  /// If `playground record` runs the process, that recording is the runtime's trace.
  public static let shared = LiveRuntime(workers: defaultWidth, trace: ProcessRecording.current)

  /// A runtime with workers of its own. Each worker starts its thread when it has a job.
  ///
  /// - Parameters:
  ///   - workers: the number of jobs that the pool runs in parallel, clamped to 1…1024.
  ///   - kept: the number of threads that stay as long as the runtime exists, with their
  ///     thread-local state.
  ///   - patience: how long each of the other threads stays without a job.
  ///   - trace: records work and blocking, and the events of the kernel for runs on this runtime.
  public init(
    workers: Int, keeping kept: Int = defaultWidth, patience: Duration = .seconds(5),
    trace: (any TraceSink)? = nil
  ) {
    self.init(
      LivePool(
        width: min(max(workers, 1), 1024), keeping: max(kept, 0),
        patience: max(patience, .zero)), trace)
  }

  private init(_ livePool: LivePool, _ trace: (any TraceSink)?) {
    self.livePool = livePool
    tracedPool = trace.map { TracedPool(livePool, $0) }
  }

  /// A runtime with the same workers that is recorded by `trace`.
  public func tracing(to trace: (any TraceSink)?) -> LiveRuntime {
    LiveRuntime(livePool, trace)
  }

  /// As many workers as the machine has cores, but at least four.
  public static var defaultWidth: Int { max(LivePool.coreCount, 4) }

  public var trace: (any TraceSink)? { tracedPool?.trace }
  public var pool: any Scheduler { tracedPool ?? livePool }
  public var main: any RunLoopScheduler { LiveMainScheduler(trace: trace) }
  public var width: Int { livePool.width }

  /// A scheduler that runs its jobs one after another, on any of the workers.
  ///
  /// After each job, other jobs that already wait for a worker run before the scheduler's next job.
  public func serial(_ label: String) -> any Scheduler {
    LiveSerialScheduler(on: livePool, trace: trace)
  }

  /// A semaphore with `value` permits at first; none if that is below zero.
  public func semaphore(_ value: Int) -> any BlockingSemaphore {
    LiveSemaphore(value, trace: trace)
  }

  /// A `CFRunLoop` on a thread of its own, called `label`. The thread ends when the loop has no references and the jobs
  /// that were scheduled by then have run.
  public func runLoop(_ label: String) -> any RunLoopScheduler {
    LiveRunLoop(label: label, trace: trace)
  }

  /// Chooses at random.
  public func choose(_ count: Int) -> Int { count > 1 ? Int.random(in: 0..<count) : 0 }
}
