import AsyncPatterns
import TimingTrace

/// A run on the live clock.
///
/// It ends when the run has settled; at the time limit; or, once it has been cancelled, after a grace
/// for those that do not stop.
final class LiveExecution: Execution {
  /// How long a run that has been called off may take to stop.
  static let grace = Duration.seconds(2)

  let plan: RunPlan
  private let recorder = Recorder(clock: .live)
  private let run: Run
  private let runtime: LiveRuntime
  private let runtimes: LiveRuntimes
  private let start: Instant
  private let ending = Ending<FinishedRun>()
  private let state: Locked<State>

  /// What had happened by some time.
  private struct Moment: Sendable {
    let events: [TraceEvent]
    let dropped: Int
    let time: Instant

    /// As a run that did not get further.
    func run(_ plan: RunPlan, start: Instant, isCancelled: Bool = false) -> FinishedRun {
      FinishedRun(
        plan: plan, events: events, dropped: dropped, result: nil, start: start, end: time,
        isCancelled: isCancelled)
    }
  }

  private struct State: Sendable {
    /// What had happened when somebody called the run off.
    var atCancellation: Moment?
    /// What had happened until the time limit was reached: that counts, while the rest is stopped.
    var atLimit: FinishedRun?
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
      let (before, atLimit) = state.withLock { ($0.atCancellation, $0.atLimit) }
      if let atLimit { return ending.reach(atLimit) }
      let end = runtime.now
      LastReports.wait(on: runtime) {
        var run = FinishedRun(
          plan: plan, recorder: recorder, result: result, start: start, end: end)
        let waiting = before?.run(plan, start: start).record.openLeaves ?? []
        if !waiting.isEmpty { run.remarks.append("It was waiting for \(waiting.shortList).") }
        ending.reach(run)
      }
    }
    if let limit = plan.settings.timeLimit {
      ending.silence(
        Alarms.schedule(after: limit) { [weak self] in self?.reachedLimit(limit) })
    }
  }

  var recording: Recorder? { recorder }

  func finished() async -> FinishedRun { await ending.account }

  var waitingFor: [String] { recordSoFar.openLeaves }

  var soFar: FinishedRun {
    if let ended = ending.reached { return ended }
    let state = state.withLock { $0 }
    return state.atLimit
      ?? moment().run(plan, start: start, isCancelled: state.atCancellation != nil)
  }

  private func moment() -> Moment {
    Moment(events: recorder.snapshot(), dropped: recorder.dropped, time: runtime.now)
  }

  func cancel() {
    guard !ending.isReached else { return }
    // To be read later: steps would begin meanwhile.
    let moment = moment()
    let isFirst = state.withLock { state in
      guard state.atCancellation == nil else { return false }
      state.atCancellation = moment
      return true
    }
    if isFirst { stop() }
  }

  private func reachedLimit(_ limit: Duration) {
    guard !ending.isReached else { return }
    var unfinished = moment().run(plan, start: start)
    unfinished.remarks.insert(
      "It was stopped at the time limit, \(limit.shortDescription); “set time-limit” or --time-limit "
        + "sets another.", at: 0)
    state.withLock { [unfinished] in $0.atLimit = unfinished }
    stop()
  }

  private func stop() {
    // Before the handlers are told, one of which may take its time.
    ending.silence(Alarms.schedule(after: Self.grace) { [self] in leaveBehind() })
    run.cancel()
  }

  private func leaveBehind() {
    guard !ending.isReached else { return }
    runtimes.retire(width: runtime.width)
    var left = soFar
    left.remarks.append(
      "It did not stop within \(Self.grace.shortDescription) and was left behind.")
    ending.reach(left)
  }
}
