import AsyncRender
import PatternTesting

/// A simulated runtime that counts what is asked of it.
final class WatchedRuntime: Runtime {
  private struct State {
    var wakeUps = 0
    var jobs: [String] = []
  }

  private let runtime: SimulatedRuntime
  /// Called when something has been registered for the end of a turn, before whoever did so hears of it.
  private let onRegistered: @Sendable () -> Void
  /// All that its schedulers hold of it, so that no job that is left holds it.
  private let state = Locked(State())

  init(_ runtime: SimulatedRuntime, onRegistered: @escaping @Sendable () -> Void = {}) {
    self.runtime = runtime
    self.onRegistered = onRegistered
  }

  var wakeUps: Int { state.withLock { $0.wakeUps } }
  /// Where each job was scheduled, in order.
  var jobs: [String] { state.withLock { $0.jobs } }

  private func watched(_ scheduler: any Scheduler, _ name: String) -> any Scheduler {
    WatchedScheduler(scheduler: scheduler) { [state] in state.withLock { $0.jobs.append(name) } }
  }

  var main: any RunLoopScheduler {
    WatchedRunLoop(
      loop: runtime.main,
      note: { [state] in state.withLock { $0.jobs.append("main") } },
      noteWakeUp: { [state] in state.withLock { $0.wakeUps += 1 } }, onRegistered: onRegistered)
  }
  var pool: any Scheduler { watched(runtime.pool, "pool") }
  var width: Int { runtime.width }
  var clockKind: ClockKind { runtime.clockKind }
  var trace: (any TraceSink)? { runtime.trace }
  func serial(_ label: String) -> any Scheduler { watched(runtime.serial(label), label) }
  func runLoop(_ label: String) -> any RunLoopScheduler { runtime.runLoop(label) }
  func semaphore(_ value: Int) -> any BlockingSemaphore { runtime.semaphore(value) }
  func work(for duration: Duration) { runtime.work(for: duration) }
  func block(for duration: Duration) { runtime.block(for: duration) }
  func occupy(
    _ activity: WorkerActivity, for duration: Duration, unless cancellation: Cancellation,
    begin: @escaping @Sendable () -> Void, then job: @escaping @Sendable () -> Void
  ) { runtime.occupy(activity, for: duration, unless: cancellation, begin: begin, then: job) }
  func choose(_ count: Int) -> Int { runtime.choose(count) }
}

private struct WatchedRunLoop: RunLoopScheduler {
  let loop: any RunLoopScheduler
  let note: @Sendable () -> Void
  let noteWakeUp: @Sendable () -> Void
  let onRegistered: @Sendable () -> Void

  var isCurrent: Bool { loop.isCurrent }
  var now: Instant { loop.now }
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

  var now: Instant { scheduler.now }
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
