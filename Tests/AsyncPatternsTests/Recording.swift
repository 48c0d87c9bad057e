import AsyncPatterns
import AsyncSimulation

/// Stores events in the order in which they are recorded.
final class Recording: TraceSink {
  private let recorded = Locked<[TraceEvent]>([])

  func record(_ event: TraceEvent) { recorded.withLock { $0.append(event) } }

  var events: [TraceEvent] { recorded.withLock { $0 } }

  /// The labels of the spans for which an event of this kind was recorded, in order.
  func labels(_ kind: TraceEvent.Kind) -> [String] {
    let names = Dictionary(
      events.filter { $0.kind == .submitted }.map { ($0.span, $0.name) }, uniquingKeysWith: { $1 })
    return events.filter { $0.kind == kind }.map { names[$0.span] ?? "" }
  }

  /// The rules that were violated, in the order of the reports.
  var misuse: [String] { events.filter { $0.kind == .misuse }.map(\.name) }
}

/// The result of a step on the virtual clock.
struct Simulated {
  let results: [Result<Value, any Error>]
  let recording: Recording
  let end: Instant
}

/// Runs a step on the virtual clock until nothing is left to do.
func simulate(
  _ step: Step, input: Value = .none, workers: Int = 4,
  during: (SimulatedRuntime, Run) -> Void = { _, _ in }
) -> Simulated {
  let recording = Recording()
  let runtime = SimulatedRuntime(workers: workers, trace: recording)
  let results = Locked<[Result<Value, any Error>]>([])
  let run = Run(step, input: input, on: runtime) { result in results.withLock { $0.append(result) }
  }
  during(runtime, run)
  _ = runtime.runUntilIdle()
  return Simulated(
    results: results.withLock { $0 }, recording: recording, end: runtime.now)
}
