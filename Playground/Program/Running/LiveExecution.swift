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
  private let recorder = Recorder(clock: .live)
  private let run: Run
  private let runtime: LiveRuntime
  private let runtimes: LiveRuntimes
  let start: Instant
  private let ending = WorkEnd<FinishedRun>()
  private let state: Locked<State>

  /// The events up to some time.
  private struct Moment: Sendable {
    let events: TraceEvents
    let dropped: Int
    let time: Instant

    /// A run that ended at that time.
    func run(_ plan: RunPlan, start: Instant, isCancelled: Bool = false) -> FinishedRun {
      FinishedRun(
        plan: plan, events: events, dropped: dropped, result: nil, start: start, end: time,
        isCancelled: isCancelled)
    }

    /// A run that was stopped at that time because of the time limit.
    func runAtLimit(_ plan: RunPlan, start: Instant) -> FinishedRun {
      var run = self.run(plan, start: start)
      run.noteLackOfTime(end: time)
      let limit = plan.settings.timeLimit?.shortDescription ?? "none"
      run.couldNotFinish(
        "It was stopped at the time limit, \(limit); “set time-limit” or --time-limit changes it.")
      return run
    }
  }

  private struct State: Sendable {
    /// The events up to the cancellation of the run.
    var atCancellation: Moment?
    /// When it was cancelled, or stopped at the time limit.
    var stopped: Instant?
    /// The events up to the time limit. They are the result; what still runs is stopped.
    var atLimit: Moment?
  }

  init(_ plan: RunPlan, on runtimes: LiveRuntimes) {
    self.plan = plan
    self.runtimes = runtimes
    runtime = runtimes.runtime(workers: plan.settings.workers).tracing(to: recorder)
    let start = runtime.now
    self.start = start
    let state = Locked(State())
    self.state = state
    let (recorder, ending, runtime) = (recorder, ending, runtime)
    run = Run(plan.composed.step, on: runtime) { result in
      guard !ending.isReached else { return }
      let state = state.withLock { $0 }
      let end = runtime.now
      LastReports.wait(on: runtime) {
        var run = FinishedRun(
          plan: plan, recorder: recorder, result: result, start: start, end: end)
        let held = state.stopped.map { run.holdingMain(after: start.duration(to: $0)) } ?? []
        if let atLimit = state.atLimit {
          run = atLimit.runAtLimit(plan, start: start)
          // These steps have completed by now.
          let paths = Set(held.map(\.path))
          run.record.lints.removeAll { $0.rule == "never-completed" && paths.contains($0.step) }
        } else {
          run.record.isIncomplete = state.atCancellation != nil
          run.remarks += state.atCancellation?.run(plan, start: start).remarks ?? []
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

  var recording: Recorder? { recorder }
  var hasEnded: Bool { ending.isReached }

  func finished() async -> FinishedRun { await ending.account }

  var soFar: FinishedRun {
    if let ended = ending.reached { return ended }
    return account(at: state.withLock { $0.atLimit } ?? moment())
  }

  /// The run as if it ended at `moment`.
  private func account(at moment: Moment) -> FinishedRun {
    let state = state.withLock { $0 }
    return state.atLimit == nil
      ? moment.run(plan, start: start, isCancelled: state.atCancellation != nil)
      : moment.runAtLimit(plan, start: start)
  }

  private func moment() -> Moment {
    Moment(events: recorder.events, dropped: recorder.dropped, time: runtime.now)
  }

  func cancel() {
    guard !ending.isReached else { return }
    // The events are taken now and read later: reading them takes time, in which other steps would start.
    let moment = moment()
    let isFirst = state.withLock { state in
      guard state.atCancellation == nil else { return false }
      state.atCancellation = moment
      state.stopped = state.stopped ?? moment.time
      return true
    }
    if isFirst { stop() }
  }

  private func reachLimit() {
    guard !ending.isReached else { return }
    // The events are read later, as at a cancellation.
    let moment = moment()
    state.withLock { state in
      state.atLimit = moment
      state.stopped = state.stopped ?? moment.time
    }
    MainLane.reportIfHeld { [self] in
      MainLane.holder(in: self.moment().run(plan, start: start).record)
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
    let moment = moment()
    run.abandon()
    ending.reach(moment.run(plan, start: start).crashed(reason))
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
    let moment = state.withLock { $0.atLimit } ?? self.moment()
    // Abandons the run before the events are read: a pattern that starts one step after another would record more
    // meanwhile.
    run.abandon()
    var left = account(at: moment)
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
