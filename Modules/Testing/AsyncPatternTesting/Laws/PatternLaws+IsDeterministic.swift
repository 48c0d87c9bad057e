import AsyncPatterns
import AsyncSimulation

extension PatternLaws {
  /// The same seed gives the same trace, whatever random numbers the system gives, and no work leaves the runtime.
  public func isDeterministic() async -> LawVerdict {
    var workloads = Workloads(for: manual)
    workloads.add(behaviour: Workloads.mixed)
    workloads.add(behaviour: Workloads.longer)
    workloads.add(of: 7, behaviour: Workloads.mixed)
    workloads.add(behaviour: Workloads.alike)
    workloads.add(behaviour: Workloads.immediate)
    workloads.add { index, _ in .fails(after: Workloads.time(index)) }
    return await search(.isDeterministic, workloads) { candidate, schedules, _ in
      let exploration = Exploration(
        schedules: max(schedules / 2, 2), workers: workers, seed: seed,
        eventLimit: Counterexample.eventLimit, patience: Self.patience, isRecording: true)
      // The second search tries what the first one tried, with other random numbers.
      var again = exploration
      again.hasOwnRandomNumbers = true
      let traces = Traces()
      return [
        Search(exploration) { trial in
          traces.append(trial.events)
          return escape(in: trial)
        },
        Search(again) { trial in traces.difference(from: trial.events) },
      ]
    }
  }
}

private let property = "same seed, same trace"

private func escape(in trial: Trial) -> Finding? {
  trial.report.escapes.isEmpty
    ? nil
    : Finding(
      property,
      "work returned from a thread outside the simulation; use the scope’s clock and "
        + "the runtime’s schedulers")
}

/// The traces of some schedules, to be compared with the traces of a second run of the same schedules.
private final class Traces: Sendable {
  private struct State {
    var traces: [[TraceEvent]] = []
    var comparedCount = 0
  }

  private let state = Locked(State())

  func append(_ trace: [TraceEvent]) { state.withLock { $0.traces.append(trace) } }

  /// Compares the next trace with its counterpart.
  func difference(from trace: [TraceEvent]) -> Finding? {
    let counterpart = state.withLock { state -> [TraceEvent]? in
      // After the trials that have a counterpart, further trials simplify and narrate what was found.
      guard state.comparedCount < state.traces.count else { return nil }
      defer { state.comparedCount += 1 }
      return state.traces[state.comparedCount]
    }
    guard let counterpart else { return nil }
    let alike = zip(counterpart, trace).prefix { $0.isSame(as: $1) }.count
    guard alike < max(counterpart.count, trace.count) else { return nil }
    let first = Self.text(of: alike, in: counterpart)
    let second = Self.text(of: alike, in: trace)
    return Finding(
      property,
      "after \(alike) equal events, one run continued with \(first), and another run of the same "
        + "schedule with \(second)")
  }

  private static func text(of index: Int, in trace: [TraceEvent]) -> String {
    guard trace.indices.contains(index) else { return "nothing" }
    let event = trace[index]
    let label = trace.first { $0.kind == .submitted && $0.span == event.span }?.name
    return "“\(event.kind)” of \(label.map { "“\($0)”" } ?? "no step") at \(event.time)"
  }
}

extension TraceEvent {
  fileprivate func isSame(as other: TraceEvent) -> Bool {
    kind == other.kind && outcome == other.outcome && cause == other.cause && after == other.after
      && lane == other.lane
      && time == other.time && span == other.span && parent == other.parent
      && number == other.number && name == other.name && detail == other.detail
  }
}
