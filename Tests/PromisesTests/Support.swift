import Promises
import Simulation
import Testing

/// Keeps events in the order of recording.
final class Recording: TraceSink {
  private let recorded = Locked<[TraceEvent]>([])

  func record(_ event: TraceEvent) { recorded.withLock { $0.append(event) } }

  var events: [TraceEvent] { recorded.withLock { $0 } }

  /// “label@milliseconds” of each event of this kind, in order.
  func times(_ kind: TraceEvent.Kind) -> [String] {
    let names = Dictionary(
      events.filter { $0.kind == .submitted }.map { ($0.span, $0.name) }, uniquingKeysWith: { $1 })
    return events.filter { $0.kind == kind && names[$0.span] != nil }
      .map { "\(names[$0.span] ?? "")@\($0.time.nanoseconds / 1_000_000)" }
  }

  /// The rules of the misuse that was reported, in order.
  var misuse: [String] { events.filter { $0.kind == .misuse }.map(\.name) }
}

/// What became of a run on the virtual clock.
struct Outcome {
  let results: [Result<Value, any Error>]
  let recording: Recording

  var value: Value? { try? results.first?.get() }
  var error: (any Error)? {
    if case .failure(let error)? = results.first { error } else { nil }
  }
}

/// Runs steps under a pattern of the plugin until nothing is left to do.
func simulate(
  _ pattern: String, _ steps: [Step], input: Value = .none, cancelAt: Duration? = nil
) throws -> Outcome {
  let type = try #require(PromisesPlugin.patterns.first { $0.manual.name == pattern })
  let recording = Recording()
  let runtime = SimulatedRuntime(trace: recording)
  let results = Locked<[Result<Value, any Error>]>([])
  let step = Step("whole", pattern: try type.init(Arguments()), steps: steps)
  let run = Run(step, input: input, on: runtime) { result in
    results.withLock { $0.append(result) }
  }
  if let cancelAt { runtime.pool.schedule(after: cancelAt) { run.cancel() } }
  runtime.runUntilIdle()
  return Outcome(results: results.withLock { $0 }, recording: recording)
}

/// What happened, in order.
final class Log: Sendable {
  private let lines = Locked<[String]>([])

  var entries: [String] { lines.withLock { $0 } }
  func append(_ entry: String) { lines.withLock { $0.append(entry) } }
}

extension Duration {
  static func ms(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }
}

/// Yields its input and 1.
func increment(_ label: String) -> Step {
  Step(label) { input, _, completion in
    guard case .integer(let number) = input else {
      return completion(.failure(StepFailure("no number")))
    }
    completion(.success(.integer(number + 1)))
  }
}
