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
  private let start: Instant
  private let state: Locked<State>
  /// What had not finished when somebody called the run off.
  private let waiting = Locked<[String]>([])

  private enum State {
    case running(CheckedContinuation<FinishedRun, Never>?)
    /// The time limit was reached: what had happened until then, while the rest is stopped.
    case stopping(FinishedRun, CheckedContinuation<FinishedRun, Never>?)
    case finished(FinishedRun?)
  }

  init(_ plan: RunPlan, on shared: LiveRuntime) {
    self.plan = plan
    runtime = shared.tracing(to: recorder)
    let start = runtime.now
    self.start = start
    let state = Locked(State.running(nil))
    self.state = state
    let (recorder, waiting, runtime) = (recorder, waiting, runtime)
    run = Run(plan.composed.step, on: runtime) { result in
      LiveExecution.end(state) {
        var run = FinishedRun(
          plan: plan, recorder: recorder, result: result, start: start, end: runtime.now)
        let paths = waiting.withLock { $0 }
        if !paths.isEmpty { run.remarks.append("It was waiting for \(paths.shortList).") }
        return run
      }
    }
    if let limit = plan.settings.timeLimit {
      runtime.main.schedule(after: limit) { [weak self] in self?.reachedLimit(limit) }
    }
  }

  var waitingFor: [String] { unfinished.record.openLeaves }

  /// The run as it would be if it ended now.
  private var unfinished: FinishedRun {
    FinishedRun(plan: plan, recorder: recorder, result: nil, start: start, end: runtime.now)
  }

  func cancel() {
    let open = waitingFor
    waiting.withLock { $0 = open }
    stop()
  }

  private func stop() {
    run.cancel()
    let (plan, recorder, state, runtime, start) = (plan, recorder, state, runtime, start)
    runtime.main.schedule(after: Self.grace) {
      LiveExecution.end(state) {
        var left = FinishedRun(
          plan: plan, recorder: recorder, result: nil, start: start, end: runtime.now,
          isCancelled: true)
        left.isLeftBehind = true
        left.remarks.append(
          "It did not stop within \(Self.grace.shortDescription) and was left behind.")
        return left
      }
    }
  }

  func finished() async -> FinishedRun {
    await withCheckedContinuation { continuation in
      let ready = state.withLock { state -> FinishedRun? in
        switch state {
        case .running: state = .running(continuation)
        case .stopping(let run, _): state = .stopping(run, continuation)
        case .finished(let run):
          state = .finished(nil)
          return run
        }
        return nil
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }

  private func reachedLimit(_ limit: Duration) {
    var unfinished = unfinished
    unfinished.remarks.insert(
      "It was stopped at the time limit, \(limit.shortDescription); “set time-limit” or --time-limit "
        + "sets another.",
      at: 0)
    unfinished.isLeftBehind = true
    let snapshot = unfinished
    let isFirst = state.withLock { state in
      guard case .running(let continuation) = state else { return false }
      state = .stopping(snapshot, continuation)
      return true
    }
    if isFirst { stop() }
  }

  /// Ends the run once: with what the time limit kept, or with what `make` makes of it.
  private static func end(_ state: Locked<State>, _ make: () -> FinishedRun) {
    let isOver = state.withLock { state in
      if case .finished = state { true } else { false }
    }
    if isOver { return }
    let made = make()
    let waiting = state.withLock {
      state -> (CheckedContinuation<FinishedRun, Never>, FinishedRun)? in
      let (result, continuation): (FinishedRun, CheckedContinuation<FinishedRun, Never>?)
      switch state {
      case .running(let waiting): (result, continuation) = (made, waiting)
      case .stopping(let kept, let waiting): (result, continuation) = (kept, waiting)
      case .finished: return nil
      }
      state = .finished(continuation == nil ? result : nil)
      return continuation.map { ($0, result) }
    }
    if let (continuation, result) = waiting { continuation.resume(returning: result) }
  }
}
