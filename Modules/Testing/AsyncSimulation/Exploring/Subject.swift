import AsyncPatterns

/// The code that an exploration runs again and again. It is an object, since a value would be copied for each run.
protocol Subject: AnyObject, Sendable {
  /// Starts a new run of it on `runtime`.
  func start(on runtime: SimulatedRuntime, disturbedBy disturber: Disturber) -> any StartedSubject
}

/// A subject that has been started, in one trial.
protocol StartedSubject: AnyObject {
  /// Whether some of its work is unfinished.
  var isUnfinished: Bool { get }
  /// Returns whether some of its work may have left the runtime; nil if the run waits only for registered asynchronous
  /// code.
  var isAwaited: (@Sendable () -> Bool)? { get }
  /// Makes unfinished work stop, so that it releases what it holds.
  func stop()
  /// The property that does not hold, after nothing is left to do; nil if it holds.
  func finding(_ ending: SimulatedRuntime.Ending, _ events: [TraceEvent]) -> Finding?
}

/// A step with a property of its runs.
final class StepSubject: Subject {
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
    let settlement = Settlement(on: runtime)
    self.settlement = settlement
    run = runtime.loop.holding {
      // A closure with a single reference needs no memory.
      Run(step, input: input, on: runtime, interposer: disturber.interposer) {
        settlement.reach($0)
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

/// The result of a run and its time, if the run has settled.
private final class Settlement: @unchecked Sendable {
  // Safe to share: it is touched only by the holder of the simulation's baton, and between runs.
  private(set) var result: Result<Value, any Error>?
  private(set) var time = Instant.zero
  private let runtime: SimulatedRuntime

  init(on runtime: SimulatedRuntime) { self.runtime = runtime }

  func reach(_ result: Result<Value, any Error>) {
    self.result = result
    time = runtime.now
  }
}

/// Any code that takes a runtime.
final class ScenarioSubject: Subject {
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

final class StartedScenario: StartedSubject {
  private let check: @Sendable () -> String?
  private let runtime: SimulatedRuntime

  init(check: @escaping @Sendable () -> String?, runtime: SimulatedRuntime) {
    self.check = check
    self.runtime = runtime
  }

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
