internal import Dispatch

/// The machine's clock and threads: workers that are threads, the timers and the main queue of Dispatch, and the run
/// loop of the main thread.
///
/// ```swift
/// let runtime = LiveRuntime(workers: 2)
/// runtime.pool.schedule(after: .milliseconds(10)) { print("ten milliseconds later") }
/// ```
///
/// A value: copies share the workers. Each run can have a trace of its own, see `tracing(to:)`. Durations can have any
/// length: one below zero counts as zero, and one beyond 292 years never ends.
///
/// `main` is the main lane, regardless of the thread that serves the main queue. Actions at the end of a turn need the
/// run loop: `CFRunLoopRun()` in a synchronous `main`. In a program that does not run it, they run on the main queue
/// when `wakeMain()` is called, and a line on standard error says so once.
public struct LiveRuntime: Runtime {
  // At most three words, so that `any Runtime` holds it without an allocation.
  private let livePool: LivePool
  private let tracedPool: TracedPool?

  /// The default of all libraries: `defaultWidth` workers, and no trace.
  ///
  /// In a process that `playground record` runs, that recording is its trace.
  public static let shared = LiveRuntime(workers: defaultWidth, trace: ProcessRecording.current)

  /// A runtime with workers of its own. Each worker starts its thread when it has a job.
  ///
  /// - Parameters:
  ///   - workers: how many jobs the pool runs in parallel, from 1 to 1024. A number outside that range counts as the
  ///     nearest one in it.
  ///   - kept: how many threads stay for as long as the runtime exists, with their thread-local state.
  ///   - patience: how long each of the other threads stays without a job.
  ///   - trace: records what works and blocks, and what the kernel does for runs on this runtime.
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

  /// The same workers, recorded by `trace`.
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
  /// Between two of its jobs, other jobs that wait for a worker run first.
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
