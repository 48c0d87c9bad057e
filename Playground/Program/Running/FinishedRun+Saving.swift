import AsyncPatterns
import TimingTrace

extension FinishedRun {
  /// The run as it is saved in a file.
  var saved: SavedRun {
    guard let plan else {
      return imported
        ?? SavedRun(name: name, source: "", composition: "", record: record, storedEvents: events)
    }
    return SavedRun(
      name: title, source: plan.composed.source, composition: plan.composed.step.outline,
      script: plan.composed.script, workers: plan.settings.poolWidth,
      record: record, storedEvents: events, isWarmUp: plan.isWarmUp)
  }

  /// States the cost of recording, on the live clock only. It does not affect virtual time, and equal virtual runs must
  /// have equal records.
  mutating func stateOverhead() {
    if plan != nil, record.clock == .live { record.overhead = Self.overhead }
  }

  /// The cost of recording one event on this machine, in nanoseconds. Measured once, while nothing else runs.
  private static let overhead =
    Double(
      Recorder.measuredOverhead(clock: .live).components.attoseconds) / 1e9
}

extension SessionLog {
  /// Writes the start of a run to the file, if runs are saved. Returns the number of the run in the file.
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
  /// The structure of the step on one line: `serial { fetch: sleep; parse: work after fetch }`.
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
