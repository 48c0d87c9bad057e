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
  private let recorded: RecordedEvents
  private let run: Run
  private let runtime: LiveRuntime
  private let runtimes: LiveRuntimes
  let start: Instant
  private let ending = WorkEnd<FinishedRun>()
  private let state: Locked<State>

  /// A time, and how many events had been dropped by then.
  private struct Moment: Sendable {
    let time: Instant
    let dropped: Int
  }

  /// Makes runs of the events that were recorded up to some moment.
  private struct RecordedEvents: Sendable {
    let plan: RunPlan
    let recorder: Recorder
    let start: Instant

    /// A run that ended at `moment`.
    func run(until moment: Moment, isCancelled: Bool = false) -> FinishedRun {
      FinishedRun(
        plan: plan, events: recorder.events.until(moment.time), dropped: moment.dropped,
        result: nil, start: start, end: moment.time, isCancelled: isCancelled)
    }

    /// A run that was stopped at `moment` because of the time limit.
    func run(untilLimit moment: Moment) -> FinishedRun {
      var run = run(until: moment)
      run.noteLackOfTime(end: moment.time)
      let limit = plan.settings.timeLimit?.shortDescription ?? "none"
      run.couldNotFinish(
        "It was stopped at the time limit, \(limit); “set time-limit” or --time-limit changes it.")
      return run
    }
  }

  private struct State: Sendable {
    /// When the run was cancelled.
    var cancelled: Moment?
    /// When it reached the time limit. The events until then are the result; what still runs is stopped.
    var limited: Moment?

    /// When it was cancelled, or stopped at the time limit.
    var stopped: Instant? { [cancelled, limited].compactMap { $0?.time }.min() }
  }

  init(_ plan: RunPlan, on runtimes: LiveRuntimes) {
    self.plan = plan
    self.runtimes = runtimes
    let recorder = Recorder(clock: .live)
    runtime = runtimes.runtime(workers: plan.settings.workers).tracing(to: recorder)
    let start = runtime.now
    self.start = start
    let recorded = RecordedEvents(plan: plan, recorder: recorder, start: start)
    self.recorded = recorded
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
          run = recorded.run(untilLimit: limited)
          // These steps have completed by now.
          let paths = Set(held.map(\.path))
          run.record.lints.removeAll { $0.rule == "never-completed" && paths.contains($0.step) }
        } else {
          run.record.isIncomplete = state.cancelled != nil
          run.remarks += state.cancelled.map { recorded.run(until: $0).remarks } ?? []
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

  var recording: Recorder? { recorded.recorder }
  var hasEnded: Bool { ending.isReached }

  func finished() async -> FinishedRun { await ending.account }

  var soFar: FinishedRun {
    if let ended = ending.reached { return ended }
    return run(until: state.withLock { $0.limited } ?? moment())
  }

  /// The run as if it ended at `moment`.
  private func run(until moment: Moment) -> FinishedRun {
    let state = state.withLock { $0 }
    return state.limited == nil
      ? recorded.run(until: moment, isCancelled: state.cancelled != nil)
      : recorded.run(untilLimit: moment)
  }

  private func moment() -> Moment {
    Moment(time: runtime.now, dropped: recorded.recorder.dropped)
  }

  func cancel() {
    guard !ending.isReached else { return }
    // The events until now are read later. Reading them takes time, in which other steps would start.
    let moment = moment()
    let isFirst = state.withLock { state in
      guard state.cancelled == nil else { return false }
      state.cancelled = moment
      return true
    }
    if isFirst { stop() }
  }

  private func reachLimit() {
    guard !ending.isReached else { return }
    let moment = moment()
    state.withLock { $0.limited = moment }
    MainLane.reportIfHeld { [self] in
      MainLane.holder(in: recorded.run(until: self.moment()).record)
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
    ending.reach(recorded.run(until: moment).crashed(reason))
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
    let moment = state.withLock { $0.limited } ?? moment()
    // A pattern that starts one step after another then records no more while the events are read.
    run.abandon()
    var left = run(until: moment)
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
