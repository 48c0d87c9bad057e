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
      name: title, source: plan.composed.source, composition: plan.composed.step.outline,
      script: plan.composed.script, workers: plan.settings.poolWidth,
      record: record, events: events, isWarmUp: plan.isWarmUp)
  }

  /// States what recording cost it. Virtual time takes no notice of that, and the same run is the same record.
  mutating func stateOverhead() {
    if plan != nil, record.clock == .live { record.overhead = Self.overhead }
  }

  /// What recording an event costs on this machine, in nanoseconds; measured once, where nothing runs.
  private static let overhead =
    Double(
      Recorder.measuredOverhead(clock: .live).components.attoseconds) / 1e9
}

extension SessionLog {
  /// Writes the start of a run, if runs are saved; the number of the run in the file.
  func beginSaving(_ execution: any Execution) -> Int? {
    guard let journal else { return nil }
    let (plan, composed) = (execution.plan, execution.plan.composed)
    let record = RunRecord(
      name: plan.name, pattern: composed.pattern, clock: plan.settings.clock,
      seed: plan.settings.seed, outcome: .unfinished)
    let run = SavedRun(
      name: composed.title, source: composed.source, composition: composed.step.outline,
      script: composed.script, workers: plan.settings.poolWidth, record: record, events: [],
      isWarmUp: plan.isWarmUp)
    return journal.begin(run, at: execution.start, recorder: execution.recording)
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
