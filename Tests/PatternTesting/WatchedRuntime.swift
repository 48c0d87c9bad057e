public import AsyncSimulation

/// A simulated runtime that counts the calls to it.
public final class WatchedRuntime: Runtime {
  private struct State {
    var wakeUps = 0
    var readings = 0
    var jobs: [String] = []
  }

  private let runtime: SimulatedRuntime
  /// Called when an action has been registered for the end of a turn, before the registering call returns.
  private let onRegistered: @Sendable () -> Void
  /// The only part of the runtime that its schedulers hold, so remaining jobs do not keep the runtime alive.
  private let state = Locked(State())

  public init(
    _ runtime: SimulatedRuntime, onRegistered: @escaping @Sendable () -> Void = {}
  ) {
    self.runtime = runtime
    self.onRegistered = onRegistered
  }

  public var wakeUps: Int { state.withLock { $0.wakeUps } }
  /// How often the clock has been read.
  public var readings: Int { state.withLock { $0.readings } }
  /// The place where each job was scheduled, in order.
  public var jobs: [String] { state.withLock { $0.jobs } }

  private var noteReading: @Sendable () -> Void {
    { [state] in state.withLock { $0.readings += 1 } }
  }

  private func watched(_ scheduler: any Scheduler, _ name: String) -> any Scheduler {
    WatchedScheduler(
      scheduler: scheduler, note: { [state] in state.withLock { $0.jobs.append(name) } },
      noteReading: noteReading)
  }

  public var main: any RunLoopScheduler {
    WatchedRunLoop(
      loop: runtime.main,
      note: { [state] in state.withLock { $0.jobs.append("main") } },
      noteWakeUp: { [state] in state.withLock { $0.wakeUps += 1 } }, noteReading: noteReading,
      onRegistered: onRegistered)
  }
  public var pool: any Scheduler { watched(runtime.pool, "pool") }
  public var width: Int { runtime.width }
  public var virtual: (any VirtualRuntime)? { runtime }
  public var trace: (any TraceSink)? { runtime.trace }
  public func serial(_ label: String) -> any Scheduler { watched(runtime.serial(label), label) }
  public func runLoop(_ label: String) -> any RunLoopScheduler { runtime.runLoop(label) }
  public func semaphore(_ value: Int) -> any BlockingSemaphore { runtime.semaphore(value) }
  public func occupy(
    _ activity: WorkerActivity, for duration: Duration, cancellation: Cancellation?
  ) { runtime.occupy(activity, for: duration, cancellation: cancellation) }
  public func choose(_ count: Int) -> Int { runtime.choose(count) }
}

private struct WatchedRunLoop: RunLoopScheduler {
  let loop: any RunLoopScheduler
  let note: @Sendable () -> Void
  let noteWakeUp: @Sendable () -> Void
  let noteReading: @Sendable () -> Void
  let onRegistered: @Sendable () -> Void

  var isCurrent: Bool { loop.isCurrent }
  var now: Instant {
    noteReading()
    return loop.now
  }
  func schedule(_ job: @escaping @Sendable () -> Void) {
    note()
    loop.schedule(job)
  }
  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    note()
    return loop.schedule(after: delay, job)
  }
  func atEndOfTurn(
    order: Int, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let registration = loop.atEndOfTurn(order: order, action)
    onRegistered()
    return registration
  }
  func wake() {
    noteWakeUp()
    loop.wake()
  }
}

private struct WatchedScheduler: Scheduler {
  let scheduler: any Scheduler
  let note: @Sendable () -> Void
  let noteReading: @Sendable () -> Void

  var now: Instant {
    noteReading()
    return scheduler.now
  }
  func schedule(_ job: @escaping @Sendable () -> Void) {
    note()
    scheduler.schedule(job)
  }
  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    note()
    return scheduler.schedule(after: delay, job)
  }
}
