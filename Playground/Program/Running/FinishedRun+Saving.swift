import AsyncPatterns
import TimingTrace

extension FinishedRun {
  /// The run as a file keeps it.
  var saved: SavedRun {
    guard let plan else {
      return imported
        ?? SavedRun(name: name, source: "", composition: "", record: record, events: events)
    }
    return SavedRun(
      name: name, source: plan.composed.source, composition: plan.composed.step.outline,
      script: plan.composed.script, workers: plan.settings.poolWidth,
      record: record, events: events)
  }
}

extension Step {
  /// What the step is made of, on one line: `serial { fetch: sleep; parse: work after fetch }`.
  fileprivate var outline: String {
    guard !steps.isEmpty else { return kind }
    let parts = steps.map { step in
      let after =
        step.predecessors.isEmpty
        ? "" : " after " + step.predecessors.joined(separator: ", ")
      return "\(step.label): \(step.outline)\(after)"
    }
    return "\(kind) { \(parts.joined(separator: "; ")) }"
  }
}
