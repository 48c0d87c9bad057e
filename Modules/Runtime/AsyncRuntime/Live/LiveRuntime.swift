internal import Dispatch

/// The machine's own time and threads: workers that are threads, Dispatch's timers and main queue, and
/// the run loop of the main thread.
///
/// ```swift
/// let runtime = LiveRuntime(workers: 2)
/// runtime.pool.schedule(after: .milliseconds(10)) { print("ten milliseconds later") }
/// ```
///
/// A value: copies share the workers. Each run can have a trace of its own, see `tracing(to:)`. All
/// durations may be of any length: one below zero is none, and one beyond 292 years never ends.
///
/// `main` is the main lane whichever thread serves the main queue. What is to happen at the end of a
/// turn needs the run loop, `CFRunLoopRun()` in a synchronous `main`; in a program that does not run it,
/// it happens on the main queue when somebody calls `wakeMain()`, and standard error says so once.
public struct LiveRuntime: Runtime {
  // No more than three words, so that it needs no memory of its own as `any Runtime`.
  private let livePool: LivePool
  private let tracedPool: TracedPool?

  /// The one that everything uses unless told otherwise: `defaultWidth` workers, and no trace.
  ///
  /// In a process that `playground record` runs, that recording is its trace.
  public static let shared = LiveRuntime(workers: defaultWidth, trace: ProcessRecording.current)

  /// A runtime with workers of its own. They get a thread each when there is something to do.
  ///
  /// - Parameters:
  ///   - workers: how many jobs the pool runs side by side, from 1 to 1024: what is beyond counts as
  ///     the nearest of these.
  ///   - kept: how many threads stay as long as the runtime does, with what has been set up on them.
  ///   - patience: for how long the other threads stay when they have nothing to do.
  ///   - trace: told what blocks and works, and what the kernel does for runs on this runtime.
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

  /// The same workers, watched by `trace`.
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
  /// Between two of its jobs it lets those go first that wait for a worker.
  public func serial(_ label: String) -> any Scheduler {
    LiveSerialScheduler(on: livePool, trace: trace)
  }

  /// A semaphore with `value` permits to begin with; none if that is below zero.
  public func semaphore(_ value: Int) -> any BlockingSemaphore {
    LiveSemaphore(value, trace: trace)
  }

  /// A `CFRunLoop` on a thread of its own, called `label`. The thread ends when nobody holds the loop any
  /// longer and what was scheduled by then has run.
  public func runLoop(_ label: String) -> any RunLoopScheduler {
    LiveRunLoop(label: label, trace: trace)
  }

  /// A random one.
  public func choose(_ count: Int) -> Int { count > 1 ? Int.random(in: 0..<count) : 0 }
}
