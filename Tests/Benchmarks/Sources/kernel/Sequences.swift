import AsyncPatterns
import Dispatch
import Measuring
import SerialQueuePatterns
import TimingTrace

/// The cost of steps that complete immediately, one after another.
enum Sequences {
  private static let count = 10_000

  static func measure() throws -> [Figure] {
    let steps = (1...count).map { Step.value("v-\($0)", .integer($0)) }
    let serial = try step(of: "serial", steps)
    let plain = Step("plain", pattern: PlainSequence(), steps: steps)
    let medians = try Contestant.medians(
      of: [
        Contestant("serial, traced") {
          try time(serial, on: LiveRuntime.shared.tracing(to: Recorder(clock: .live)))
        },
        Contestant("serial, untraced") { try time(serial, on: LiveRuntime.shared) },
        Contestant("the simplest sequence, traced") {
          try time(plain, on: LiveRuntime.shared.tracing(to: Recorder(clock: .live)))
        },
        Contestant("the simplest sequence, untraced") { try time(plain, on: LiveRuntime.shared) },
      ], rounds: 31)
    return [
      Figure(
        "serial over \(count) values, traced", medians[0], peer: ("untraced", medians[1]),
        target: .milliseconds(30)),
      Figure(
        "the same, compared with the simplest sequence", medians[0],
        peer: ("the simplest sequence, traced", medians[2])),
      Figure(
        "untraced, compared with the simplest sequence", medians[1],
        peer: ("the simplest sequence, untraced", medians[3]), ratio: 1.7),
    ]
  }

  /// The time of a recorded run of `serial` over `count` values.
  static func serial(_ count: Int) throws -> () throws -> Duration {
    let step = try step(of: "serial", (1...count).map { Step.value("v-\($0)", .integer(1)) })
    return {
      try time(step, on: LiveRuntime.shared.tracing(to: Recorder(clock: .live)), yielding: 1)
    }
  }

  /// Runs one untraced sequence a hundred times.
  static func runAlone(_ pattern: Alone) throws {
    let steps = (1...count).map { Step.value("v-\($0)", .integer($0)) }
    let step =
      switch pattern {
      case .serial: try step(of: "serial", steps)
      case .plain: Step("plain", pattern: PlainSequence(), steps: steps)
      }
    for _ in 0..<100 { _ = try time(step, on: LiveRuntime.shared) }
  }

  /// A sequence that the suite runs alone.
  enum Alone: String, CaseIterable { case serial, plain }

  private static func step(of pattern: String, _ steps: [Step]) throws -> Step {
    guard let type = SerialQueuePlugin.patterns.first(where: { $0.manual.name == pattern }) else {
      throw StepFailure("the module SerialQueue has no pattern “\(pattern)”")
    }
    let arguments = try type.manual.resolve([])
    return Step(pattern, pattern: try type.init(arguments), steps: steps)
  }

  private static func time(
    _ step: Step, on runtime: LiveRuntime, yielding last: Int = count
  ) throws -> Duration {
    let settled = DispatchSemaphore(value: 0)
    let outcome = Locked<Result<Value, any Error>?>(nil)
    let time = ContinuousClock().measure {
      Run(step, on: runtime) { result in
        outcome.withLock { $0 = result }
        settled.signal()
      }
      settled.wait()
    }
    guard case .success(.integer(last))? = outcome.withLock({ $0 }) else {
      throw StepFailure("“\(step.label)” did not yield its last value")
    }
    return time
  }
}

/// Runs one step after another in the simplest way, to measure the cost of the kernel itself.
private struct PlainSequence: AsyncPattern {
  static let manual = Manual(name: "plain", summary: "Runs its steps one after another.")

  init() {}
  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    next(0, of: steps, input, scope, completion)
  }

  private func next(
    _ index: Int, of steps: [Step], _ input: Value, _ scope: Scope,
    _ completion: @escaping Completion
  ) {
    guard index < steps.count else { return completion(.success(input)) }
    scope.start(steps[index], input: input) { result in
      guard case .success(let value) = result else { return completion(result) }
      next(index + 1, of: steps, value, scope, completion)
    }
  }
}
