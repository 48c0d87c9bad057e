import AsyncPatterns
import TimingTrace

extension FinishedRun {
  /// What a recorder has, as a finished run.
  ///
  /// - Parameters:
  ///   - result: nil if the run has not settled.
  ///   - end: when nobody waited for it any longer; what had not settled lasts until then.
  init(
    plan: RunPlan, recorder: Recorder, result: Result<Value, any Error>?, end: Instant,
    isCancelled: Bool = false
  ) {
    let events = recorder.snapshot()
    var record = RunRecord(
      events: events, name: plan.name, pattern: plan.composed.pattern, clock: plan.settings.clock,
      seed: plan.settings.seed, result: result, end: end, dropped: recorder.dropped)
    if isCancelled { record.outcome = .cancelled }
    self.init(plan: plan, record: record, events: events)
    if result == nil {
      let waiting = record.openLeaves
      if !waiting.isEmpty { remarks.append("It was waiting for \(waiting.shortList).") }
    }
  }
}

extension RunRecord {
  /// The paths of what was under way at the end, patterns left out.
  var openLeaves: [String] { open().filter(\.isLeaf).map(\.path) }
}

extension [String] {
  /// The first few, and how many more there are.
  var shortList: String {
    let shown = prefix(5).joined(separator: ", ")
    return count > 5 ? "\(shown) and \(count - 5) more" : shown
  }
}
