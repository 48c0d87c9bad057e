import AsyncPatterns
import AsyncSimulation
import Foundation
import TimingTrace

/// A run on the virtual clock. The simulation has its own thread, so the prompt stays responsive.
///
/// It ends when nothing is left to do. At the time limit, or when it is cancelled, it ends before its next event. An
/// event that does not return has a grace period.
final class VirtualExecution: Execution {
  /// How long an event may take to return after the run has been cancelled.
  static let grace = Duration.seconds(2)
  /// How many events run before the next check for a cancellation. An interruption stops the simulation immediately,
  /// but only while it runs events.
  private static let slice = 100_000

  let plan: RunPlan
  private let recorder = Recorder(clock: .virtual)
  private let runtime: SimulatedRuntime
  private let ending = WorkEnd<FinishedRun>()
  private let interruption = Locked<Interruption?>(nil)
  /// The run, while the simulation is in progress.
  private let run = Locked<Run?>(nil)
  /// Whether the last event has returned. Then only the account of the run is missing.
  private let hasReturned = Locked(false)

  private enum Interruption {
    case cancelled
    case timeLimit(Duration)
  }

  init(_ plan: RunPlan) {
    self.plan = plan
    runtime = SimulatedRuntime(
      workers: plan.settings.poolWidth, seed: plan.settings.seed, trace: recorder)
  }

  var soFar: FinishedRun {
    if let ended = ending.reached { return ended }
    let isCancelled = if case .cancelled? = interruption.withLock({ $0 }) { true } else { false }
    var run = FinishedRun(
      plan: plan, events: recorder.events, dropped: recorder.dropped, result: nil, start: .zero,
      end: runtime.now, isCancelled: isCancelled)
    run.wasStoppedEarly()
    return run
  }

  /// Nothing but the name: the events of a long simulation are too many to read again and again.
  var progress: String? { "\(plan.shortTitle): simulating" }

  func cancel() { interrupt(.cancelled) }

  private func interrupt(_ reason: Interruption) {
    let isFirst = interruption.withLock { interruption in
      defer { interruption = interruption ?? reason }
      return interruption == nil
    }
    guard isFirst, !ending.isReached else { return }
    ending.silence(
      Alarms.schedule(after: Self.grace) { [self] in
        guard !hasReturned.withLock({ $0 }) else { return }
        var left = account(of: nil, isStoppedEarly: true)
        left.remarks.append(Self.leftBehind)
        ending.reach(left)
      })
    // Otherwise the current event could start one step after another.
    run.withLock { $0 }?.abandon()
    runtime.interrupt()
  }

  var hasEnded: Bool { ending.isReached }

  func crashed(_ reason: String) {
    guard !ending.isReached else { return }
    run.withLock { $0 }?.abandon()
    ending.reach(soFar.crashed(reason))
  }

  func finished() async -> FinishedRun {
    if let limit = plan.settings.timeLimit {
      ending.silence(
        Alarms.schedule(after: limit) { [weak self] in
          self?.interrupt(.timeLimit(limit))
        })
    }
    let thread = Thread { [self] in simulate() }
    thread.name = "simulation"
    thread.stackSize = 8 << 20
    thread.start()
    return await ending.account
  }

  private func simulate() {
    let result = Locked<Result<Value, any Error>?>(nil)
    let run = Run(plan.composed.step, on: runtime) { settled in result.withLock { $0 = settled } }
    self.run.withLock { $0 = run }
    defer { self.run.withLock { $0 = nil } }
    // The interruption may have come before the run was there.
    if interruption.withLock({ $0 }) != nil { run.abandon() }
    var last = SimulatedRuntime.Ending.interrupted
    while interruption.withLock({ $0 }) == nil {
      last = runtime.runUntilIdle(
        limit: Self.slice, awaiting: { result.withLock { $0 == nil } })
      if last != .limit { break }
    }
    hasReturned.withLock { $0 = true }
    let settled = result.withLock { $0 }
    if settled == nil, interruption.withLock({ $0 }) == nil { noteLostWakeUps() }
    // A run that has settled is not complete while its tasks keep running.
    let isAtLimit = if case .timeLimit? = interruption.withLock({ $0 }) { true } else { false }
    let report = runtime.report
    let hasMore = report.pendingTimers > 0 || !report.unstartedJobs.isEmpty
    ending.reach(
      account(
        of: isAtLimit && last != .idle ? nil : settled, isStoppedEarly: last != .idle && hasMore))
    guard settled == nil || !runtime.waiters.isEmpty else { return }
    // Waiting steps and the simulation retain each other, so cancel the run to release both. Threads that are blocked
    // forever are abandoned. Then the steps that needed their lanes can stop too. A pattern that ignores the cancellation
    // must not start more steps.
    run.abandon()
    runtime.main.schedule { run.cancel() }
    runtime.runUntilIdle(limit: 10 * Self.slice)
    while runtime.abandon() > 0 { runtime.runUntilIdle(limit: Self.slice) }
  }

  /// Records a misuse in the trace for each step that waits for a signal that can no longer come.
  private func noteLostWakeUps() {
    let stall = StallReport(runtime.report, events: recorder.snapshot())
    guard !stall.isDeadlock else { return }
    for waiter in stall.waitersInVain where waiter.span != .none {
      let name = stall.path(of: waiter.span) ?? "?"
      var event = TraceEvent.misuse(
        "lost-wakeup",
        "“\(name)” waits for semaphore \(waiter.semaphore), and nothing is left to signal it. "
          + "Signal it on every path, or let a completion start the next step", of: waiter.span,
        at: runtime.now)
      event.lane = waiter.lane
      recorder.record(event)
    }
  }

  /// The run as it is now.
  ///
  /// - Parameters:
  ///   - result: nil if it has not settled.
  ///   - isStoppedEarly: whether there is more to simulate.
  private func account(
    of result: Result<Value, any Error>?, isStoppedEarly: Bool
  ) -> FinishedRun {
    let reason = interruption.withLock { $0 }
    var isCancelled = false
    if case .cancelled? = reason, result == nil { isCancelled = true }
    var run = FinishedRun(
      plan: plan, events: recorder.events, dropped: recorder.dropped, result: result,
      start: .zero, end: runtime.now, isCancelled: isCancelled)
    guard result == nil else { return run }
    if isStoppedEarly { run.wasStoppedEarly() }
    switch reason {
    case .cancelled?: break
    case .timeLimit(let limit)?:
      run.couldNotFinish(Self.stopped(at: limit))
    case nil:
      let sentences = StallReport(runtime.report, events: run.events.array).sentences
      if !sentences.isEmpty { run.record.stallReasons = sentences }
      run.remarks += sentences
      run.couldNotFinish(Self.deadlock)
    }
    return run
  }
}

// MARK: - Remarks on runs that did not finish

extension VirtualExecution {
  static let leftBehind =
    "It did not stop within \(grace.shortDescription), and was left running."
  static let deadlock = "Deadlock: nothing left can make progress."

  static func stopped(at limit: Duration) -> String {
    "It was stopped at the time limit, \(limit.shortDescription) of real time; “set time-limit” or "
      + "--time-limit changes it."
  }
}
