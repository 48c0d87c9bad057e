import AsyncPatterns
import TimingTrace

extension FinishedRun {
  /// The run as a file keeps it.
  var saved: SavedRun {
    guard let plan else {
      return imported
        ?? SavedRun(name: name, source: "", composition: "", record: record, events: events)
    }
    var record = record
    // Virtual time takes no notice of it, and the same run is the same file.
    if record.clock == .live { record.overhead = Self.overhead }
    return SavedRun(
      name: title, source: plan.composed.source, composition: plan.composed.step.outline,
      script: plan.composed.script, workers: plan.settings.poolWidth,
      record: record, events: events, isWarmUp: isWarmUp)
  }

  /// What recording an event costs on this machine, in nanoseconds; measured once, where nothing runs.
  private static let overhead =
    Double(
      Recorder.measuredOverhead(clock: .live).components.attoseconds) / 1e9
}

extension Session {
  /// Begins to write down a run that goes on, if runs are saved; the number of its entry.
  func beginSaving(_ execution: any Execution) -> Int? {
    guard let journal else { return nil }
    let (plan, composed) = (execution.plan, execution.plan.composed)
    let beginning = RunBeginning(
      name: composed.title, source: composed.source, composition: composed.step.outline,
      script: composed.script, workers: plan.settings.poolWidth, pattern: composed.pattern,
      clock: plan.settings.clock, seed: plan.settings.seed)
    return journal.begin(beginning, recorder: execution.recording)
  }

  /// Sees to it that the file holds all runs so far, and nothing else.
  func finishSaving(to path: String) {
    if let count = journal?.close(), count == runs.count {
      console.say("saved \(count) \(count == 1 ? "run" : "runs") to \(path)")
    } else {
      save(to: path)
    }
    journal = nil
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
