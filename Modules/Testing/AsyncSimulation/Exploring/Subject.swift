import AsyncPatterns

/// What an exploration runs again and again.
protocol Subject: Sendable {
  /// Starts it anew on `runtime`.
  func start(on runtime: SimulatedRuntime, disturbedBy disturber: Disturber) -> any StartedSubject
}

/// What has been started, in one trial.
protocol StartedSubject {
  /// Whether something of it is under way.
  var isUnfinished: Bool { get }
  /// Tells whether something of it may have left the runtime; nil if it is only waited for where it says so.
  var isAwaited: (@Sendable () -> Bool)? { get }
  /// Has what is under way stop, so that it lets go of what it holds.
  func stop()
  /// What does not hold, now that nothing is left to do.
  func finding(_ ending: SimulatedRuntime.Ending, _ events: [TraceEvent]) -> Finding?
}

/// A step with a property of its runs.
struct StepSubject: Subject {
  private let step: Step
  private let input: Value
  private let property: @Sendable (Trial) -> Finding?

  init(_ step: Step, input: Value, checking property: @escaping @Sendable (Trial) -> Finding?) {
    self.step = step
    self.input = input
    self.property = property
  }

  func start(
    on runtime: SimulatedRuntime, disturbedBy disturber: Disturber
  ) -> any StartedSubject {
    StartedStep(step, input, property, on: runtime, disturber)
  }
}

final class StartedStep: StartedSubject {
  private let property: @Sendable (Trial) -> Finding?
  private let runtime: SimulatedRuntime
  private let disturber: Disturber
  private let run: Run
  private let settlement: Settlement

  init(
    _ step: Step, _ input: Value, _ property: @escaping @Sendable (Trial) -> Finding?,
    on runtime: SimulatedRuntime, _ disturber: Disturber
  ) {
    self.property = property
    self.runtime = runtime
    self.disturber = disturber
    let settlement = Settlement()
    self.settlement = settlement
    run = runtime.loop.holding {
      Run(step, input: input, on: runtime, interposer: disturber.interposer) { result in
        settlement.reach(result, at: runtime.now)
      }
    }
    if disturber.cancels { disturber.onCancel { [run] in run.cancel() } }
  }

  var isUnfinished: Bool { settlement.result == nil }
  var isAwaited: (@Sendable () -> Bool)? { { [settlement] in settlement.result == nil } }

  func stop() {
    let run = run
    runtime.main.schedule { run.cancel() }
  }

  func trial(_ ending: SimulatedRuntime.Ending, _ events: [TraceEvent]) -> Trial {
    let end = settlement.result == nil ? runtime.now : settlement.time
    let requests = disturber.startRequests
    return Trial(
      result: settlement.result, makespan: Instant.zero.duration(to: end),
      duration: Instant.zero.duration(to: runtime.now), ending: ending,
      report: runtime.loop.summary(withSchedule: false),
      misuse: disturber.probe.misuse.map { Trial.Misuse(rule: $0.rule, detail: $0.detail) },
      events: events, injection: disturber.point,
      isCancelled: run.cancellation.isCancelled, starts: requests.counts, lateStarts: requests.late)
  }

  func finding(_ ending: SimulatedRuntime.Ending, _ events: [TraceEvent]) -> Finding? {
    property(trial(ending, events))
  }
}

/// How a run has settled, if it has.
private final class Settlement: @unchecked Sendable {
  // Safe to share: touched by the holder of the simulation's baton, and between runs.
  private(set) var result: Result<Value, any Error>?
  private(set) var time = Instant.zero

  func reach(_ result: Result<Value, any Error>, at time: Instant) {
    self.result = result
    self.time = time
  }
}

/// Code of any kind.
struct ScenarioSubject: Subject {
  private let scenario: @Sendable (SimulatedRuntime) -> @Sendable () -> String?

  init(_ scenario: @escaping @Sendable (SimulatedRuntime) -> @Sendable () -> String?) {
    self.scenario = scenario
  }

  func start(
    on runtime: SimulatedRuntime, disturbedBy disturber: Disturber
  ) -> any StartedSubject {
    StartedScenario(check: scenario(runtime), runtime: runtime)
  }
}

struct StartedScenario: StartedSubject {
  let check: @Sendable () -> String?
  let runtime: SimulatedRuntime

  var isUnfinished: Bool { false }
  var isAwaited: (@Sendable () -> Bool)? { nil }
  func stop() {}

  func finding(_ ending: SimulatedRuntime.Ending, _ events: [TraceEvent]) -> Finding? {
    let loop = runtime.loop
    if ending == .limit || !loop.waiting.isEmpty {
      return loop.summary(withSchedule: false).unfinished(ending)
    }
    return check().map { Finding("the scenario’s check", $0) }
  }
}
