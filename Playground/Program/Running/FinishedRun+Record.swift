import AsyncPatterns
import TimingTrace

extension FinishedRun {
  /// What a recorder has, as a finished run.
  ///
  /// - Parameters:
  ///   - result: nil if the run has not settled.
  ///   - start: when it was asked for, which is all there is to go by where nothing was recorded.
  ///   - end: when nobody waited for it any longer; what had not settled lasts until then.
  ///   - isCancelled: whether somebody has called it off.
  init(
    plan: RunPlan, recorder: Recorder, result: Result<Value, any Error>?, start: Instant,
    end: Instant, isCancelled: Bool = false
  ) {
    self.init(
      plan: plan, events: recorder.snapshot(), dropped: recorder.dropped, result: result,
      start: start, end: end, isCancelled: isCancelled)
  }

  /// Events as a finished run; otherwise as with a recorder.
  init(
    plan: RunPlan, events: [TraceEvent], dropped: Int = 0, result: Result<Value, any Error>?,
    start: Instant, end: Instant, isCancelled: Bool = false
  ) {
    var record = RunRecord(
      events: events, name: plan.name, pattern: plan.composed.pattern, clock: plan.settings.clock,
      seed: plan.settings.seed, result: result, start: events.isEmpty ? start : nil, end: end,
      dropped: dropped)
    if isCancelled {
      record.outcome = .cancelled
      // What was measured of it by then says nothing; on the virtual clock nothing is measured.
      record.isCutOff = record.clock == .live
    }
    self.init(plan: plan, record: record, events: events)
    if result == nil {
      let waiting = record.openLeaves
      if !waiting.isEmpty {
        remarks.append("It was waiting for \(waiting.shortList).")
      } else if events.isEmpty {
        remarks.append("It had not begun: no worker was free.")
      } else {
        let queued = record.steps.filter { $0.isLeaf && $0.started == nil }.map(\.path)
        // The virtual clock knows who waits for what, and tells it.
        if !queued.isEmpty, record.clock == .live {
          remarks.append("It was waiting for a worker to begin \(queued.shortList).")
        }
      }
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
