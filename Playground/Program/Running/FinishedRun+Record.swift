import AsyncPatterns
import TimingTrace

extension FinishedRun {
  /// Creates a finished run from the events of a recorder.
  ///
  /// - Parameters:
  ///   - result: nil if the run has not settled.
  ///   - start: when the run was requested. It counts only if nothing was recorded.
  ///   - end: when the last caller stopped waiting. Anything that had not settled lasts until then.
  ///   - isCancelled: whether the run was cancelled.
  init(
    plan: RunPlan, recorder: Recorder, result: Result<Value, any Error>?, start: Instant,
    end: Instant, isCancelled: Bool = false
  ) {
    self.init(
      plan: plan, events: recorder.snapshot(), dropped: recorder.dropped, result: result,
      start: start, end: end, isCancelled: isCancelled)
  }

  /// Creates a finished run from events. The other parameters are the same as with a recorder.
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
      // The measurements up to then are not meaningful. On the virtual clock nothing is measured.
      record.isIncomplete = record.clock == .live
    }
    self.init(plan: plan, record: record, events: events)
    if result == nil {
      let waiting = record.openLeaves
      if !waiting.isEmpty {
        remarks.append("It was waiting for \(waiting.shortList).")
      } else if events.isEmpty {
        remarks.append("It had not started: no worker was free.")
      } else {
        let queued = record.steps.filter { $0.isLeaf && $0.started == nil }.map(\.path)
        // On the virtual clock, the report of a deadlock says which step waits for what.
        if !queued.isEmpty, record.clock == .live {
          remarks.append("It was waiting for a worker to start \(queued.shortList).")
        }
      }
    }
  }
}

extension RunRecord {
  /// The paths of the steps that were in progress at the end, without patterns.
  var openLeaves: [String] { open().filter(\.isLeaf).map(\.path) }
}

extension [String] {
  /// The first five elements, and how many more there are.
  var shortList: String {
    let shown = prefix(5).joined(separator: ", ")
    return count > 5 ? "\(shown) and \(count - 5) more" : shown
  }
}
