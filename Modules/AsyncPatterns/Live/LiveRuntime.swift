internal import Dispatch

/// The machine's own time and threads: Dispatch, and the run loop of the main thread.
///
/// A value: copies share the workers. Each run can have a trace of its own, see `tracing(to:)`.
public struct LiveRuntime: Runtime {
  private let livePool: LivePool
  public let trace: (any TraceSink)?

  /// As many workers as the machine has cores, but at least four.
  public static let shared = LiveRuntime(workers: defaultWidth)

  /// - Parameter workers: how many jobs the pool runs side by side, at least one.
  public init(workers: Int, trace: (any TraceSink)? = nil) {
    livePool = LivePool(width: max(workers, 1))
    self.trace = trace
  }

  private init(pool: LivePool, trace: (any TraceSink)?) {
    livePool = pool
    self.trace = trace
  }

  /// The same workers, watched by `trace`.
  public func tracing(to trace: (any TraceSink)?) -> LiveRuntime {
    LiveRuntime(pool: livePool, trace: trace)
  }

  public static var defaultWidth: Int { max(LivePool.coreCount, 4) }

  public var main: any Scheduler { LiveMainScheduler() }
  public var pool: any Scheduler { livePool }
  public var width: Int { livePool.width }
  public var clockKind: ClockKind { .live }

  public func serial(_ label: String) -> any Scheduler { LiveSerialScheduler(on: livePool) }

  public func semaphore(_ value: Int) -> any BlockingSemaphore {
    LiveSemaphore(value, trace: trace)
  }

  public func atEndOfTurn(
    order: Int, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let job = Job(action)
    return MainRunLoop.shared.atEndOfTurn(order: order) { job.runOnMain() }
  }

  public func wakeMain() { MainRunLoop.shared.wake() }
}
