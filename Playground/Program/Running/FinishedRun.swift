import AsyncPatterns
import AsyncSimulation
import TimingTrace

/// A run that has ended in any way.
struct FinishedRun: Sendable {
  /// Its number in the session, from 1. “runs” lists the runs that have one. The runs of a comparison have none, unless
  /// the settings list them.
  var number: Int?
  /// Its identity while it was in progress.
  var ticket: SessionLog.Ticket?
  /// The plan that it ran by. Nil if it was imported.
  let plan: RunPlan?
  var record: RunRecord
  let events: TraceEvents
  /// Remarks on the run, in whole sentences, such as why it could not finish.
  var remarks: [String] = []
  /// What happened, event by event, if that was recorded.
  var moments: [Moment] = []
  /// The imported run that this run was made from.
  private(set) var imported: SavedRun?

  var name: String { plan?.name ?? record.name }
  /// The name, with the list that it was given, such as `serial job`.
  var title: String { plan?.composed.title ?? imported?.name ?? record.name }
  /// The script that composes it again, if that is known.
  var script: String? { plan?.composed.script ?? imported?.script }
}

extension FinishedRun {
  /// Marks a run that could not finish. The reason also goes into the record, for readers that have nothing else.
  ///
  /// - Parameter reason: a whole sentence.
  mutating func couldNotFinish(_ reason: String) {
    record.error = reason
    remarks.insert(reason, at: 0)
  }

  /// This run, which has not settled, as a run that failed because its code crashed.
  func crashed(_ reason: String) -> FinishedRun {
    var run = self
    run.record.outcome = .failure
    run.record.error = reason
    run.remarks = [
      "The thread that crashed is blocked from now on; --isolate lets another process run such code."
    ]
    run.wasStoppedEarly()
    return run
  }

  /// Marks a run that was stopped early, and removes the findings about unfinished steps: they may only have lacked time.
  mutating func wasStoppedEarly() {
    record.isIncomplete = true
    record.lints.removeAll { $0.rule == "never-completed" }
  }

  /// The record without the errors that the remarks repeat below its timeline.
  var drawnRecord: RunRecord {
    guard let error = record.error, remarks.contains(error) else { return record }
    var drawn = record
    drawn.error = nil
    drawn.stallReasons = nil
    return drawn
  }

  /// Creates a run of the session from another program's run, or from one of an earlier session.
  init(imported run: SavedRun) {
    self.init(plan: nil, record: run.record, events: run.storedEvents)
    imported = run
  }
}
