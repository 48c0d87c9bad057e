import OperationGraph
import OperationGraphPatterns
@_exported import PatternTesting
import TimingTrace

/// Runs steps under a pattern of this module on the virtual clock until nothing is left to do.
func simulate(
  _ pattern: String, _ steps: [Step], width: Int? = nil, input: Value = .none, workers: Int = 4,
  seed: UInt64 = 0, cancelAt: Duration? = nil
) throws -> Outcome {
  var arguments = Arguments()
  arguments["width"] = width.map { .integer($0) }
  return try simulate(
    pattern, of: OperationGraphPlugin.self, steps, with: arguments, input: input,
    workers: workers, seed: seed, cancelAt: cancelAt)
}

extension Step {
  /// Returns the same step with predecessors.
  func after(_ labels: String...) -> Step {
    var step = self
    step.predecessors = labels
    return step
  }
}

extension Recording {
  /// Each edge as “from → to: kind”, in order.
  var edges: [String] {
    let record = RunRecord(events: events, clock: .virtual, outcome: .success)
    return record.edges.map { "\($0.from) → \($0.to): \($0.kind)" }
  }

  /// The largest number of steps that ran at the same time, not counting the whole.
  var mostConcurrent: Int {
    let whole = events.first { $0.kind == .submitted }?.span
    var now = 0
    var most = 0
    for event in events where event.span != whole {
      if event.kind == .started { now += 1 }
      if event.kind == .finished { now -= 1 }
      most = max(most, now)
    }
    return most
  }
}
