import AsyncPatterns
import TimingTrace

/// A run on the live clock.
///
/// It ends when the run has settled. At the time limit, the run is cancelled. After a cancellation, steps that do not
/// stop have a grace period. If a step holds the main lane when that period ends, a second grace period starts when the
/// lane is free. Until then nothing can be cancelled on the main lane, and the caller that waits for the end waits for
/// the lane too.
final class LiveExecution: Execution {
  /// How long a cancelled run may take to stop.
  static let grace = Duration.seconds(2)

  let plan: RunPlan
  private let account: Account
  private let run: Run
  private let runtime: LiveRuntime
  private let runtimes: LiveRuntimes
  let start: Instant
  private let ending = WorkEnd<FinishedRun>()
  private let state: Locked<State>

  /// Makes runs of what was recorded until some time.
  private struct Account: Sendable {
    let plan: RunPlan
    let recorder: Recorder
    let start: Instant

    /// A run that ended at `time`.
    func run(until time: Instant, isCancelled: Bool = false) -> FinishedRun {
      FinishedRun(
        plan: plan, events: recorder.events.until(time), dropped: recorder.dropped, result: nil,
        start: start, end: time, isCancelled: isCancelled)
    }

    /// A run that was stopped at `time` because of the time limit.
    func run(untilLimit time: Instant) -> FinishedRun {
      var run = run(until: time)
      run.noteLackOfTime(end: time)
      let limit = plan.settings.timeLimit?.shortDescription ?? "none"
      run.couldNotFinish(
        "It was stopped at the time limit, \(limit); “set time-limit” or --time-limit changes it.")
      return run
    }
  }

  private struct State: Sendable {
    /// When the run was cancelled.
    var cancelled: Instant?
    /// When it reached the time limit. The events until then are the result; what still runs is stopped.
    var limited: Instant?

    /// When it was cancelled, or stopped at the time limit.
    var stopped: Instant? { [cancelled, limited].compactMap(\.self).min() }
  }

  init(_ plan: RunPlan, on runtimes: LiveRuntimes) {
    self.plan = plan
    self.runtimes = runtimes
    let recorder = Recorder(clock: .live)
    runtime = runtimes.runtime(workers: plan.settings.workers).tracing(to: recorder)
    let start = runtime.now
    self.start = start
    let account = Account(plan: plan, recorder: recorder, start: start)
    self.account = account
    let state = Locked(State())
    self.state = state
    let (ending, runtime) = (ending, runtime)
    run = Run(plan.composed.step, on: runtime) { result in
      guard !ending.isReached else { return }
      let state = state.withLock { $0 }
      let end = runtime.now
      LastReports.wait(on: runtime) {
        var run = FinishedRun(
          plan: plan, recorder: recorder, result: result, start: start, end: end)
        let held = state.stopped.map { run.holdingMain(after: start.duration(to: $0)) } ?? []
        if let limited = state.limited {
          run = account.run(untilLimit: limited)
          // These steps have completed by now.
          let paths = Set(held.map(\.path))
          run.record.lints.removeAll { $0.rule == "never-completed" && paths.contains($0.step) }
        } else {
          run.record.isIncomplete = state.cancelled != nil
          run.remarks += state.cancelled.map { account.run(until: $0).remarks } ?? []
        }
        if let stopped = state.stopped, let last = held.compactMap(\.finished).max() {
          let time = Duration.nanoseconds(last) - start.duration(to: stopped)
          run.remarks.append(
            "“\(held.map(\.path).shortList)” blocked the main thread for another "
              + "\(time.shortDescription), so it could not be cancelled.")
        }
        ending.reach(run)
      }
    }
    if let limit = plan.settings.timeLimit {
      ending.silence(
        Alarms.schedule(after: limit) { [weak self] in self?.reachLimit() })
    }
  }

  var recording: Recorder? { account.recorder }
  var hasEnded: Bool { ending.isReached }

  func finished() async -> FinishedRun { await ending.account }

  var soFar: FinishedRun {
    if let ended = ending.reached { return ended }
    return runUntil(state.withLock { $0.limited } ?? runtime.now)
  }

  /// The run as if it ended at `time`.
  private func runUntil(_ time: Instant) -> FinishedRun {
    let state = state.withLock { $0 }
    return state.limited == nil
      ? account.run(until: time, isCancelled: state.cancelled != nil)
      : account.run(untilLimit: time)
  }

  func cancel() {
    guard !ending.isReached else { return }
    let now = runtime.now
    let isFirst = state.withLock { state in
      guard state.cancelled == nil else { return false }
      state.cancelled = now
      return true
    }
    if isFirst { stop() }
  }

  private func reachLimit() {
    guard !ending.isReached else { return }
    let now = runtime.now
    state.withLock { $0.limited = now }
    MainLane.reportIfHeld { [account, runtime] in
      MainLane.holder(in: account.run(until: runtime.now).record)
    }
    stop()
  }

  private func stop() {
    // The grace period starts before the handlers are called, since one of them may be slow.
    ending.silence(Alarms.schedule(after: Self.grace) { [self] in leaveBehind() })
    run.cancel()
  }

  func crashed(_ reason: String) {
    guard !ending.isReached else { return }
    // The thread that crashed may be a worker.
    runtimes.retire(width: runtime.width)
    let now = runtime.now
    run.abandon()
    ending.reach(account.run(until: now).crashed(reason))
  }

  private func leaveBehind() {
    guard !ending.isReached else { return }
    let asked = runtime.now
    runtime.main.schedule { [self] in
      guard asked.duration(to: runtime.now) > MainLane.patience else { return leave() }
      ending.silence(Alarms.schedule(after: Self.grace) { [self] in leave() })
    }
  }

  private func leave() {
    guard !ending.isReached else { return }
    runtimes.retire(width: runtime.width)
    let end = state.withLock { $0.limited } ?? runtime.now
    // Abandons the run before the events are read: a pattern that starts one step after another would record more
    // meanwhile.
    run.abandon()
    var left = runUntil(end)
    left.remarks.append(
      "It did not stop within \(Self.grace.shortDescription), and was left running.")
    ending.reach(left)
  }
}

extension FinishedRun {
  /// The steps that held the main lane at `time` after the start, and well beyond it. They could not be cancelled.
  fileprivate func holdingMain(after time: Duration) -> [StepRecord] {
    let time = time.wholeNanoseconds
    let patience = MainLane.patience.wholeNanoseconds
    return record.steps.filter { step in
      guard let started = step.started, let finished = step.finished else { return false }
      return MainLane.mayHold(step) && started <= time && finished - time > patience
    }
  }
}
