import AsyncPatterns
import AsyncSimulation
import TimingTrace

/// A run that has ended, one way or another.
struct FinishedRun: Sendable {
  /// Its number in the session, from 1.
  var number = 0
  /// What it was known by while it went on.
  var ticket: SessionLog.Ticket?
  /// What it was run by; nil for one that was imported.
  let plan: RunPlan?
  var record: RunRecord
  let events: [TraceEvent]
  /// Why it could not finish, in whole sentences.
  var remarks: [String] = []
  /// What happened event by event, if it was written down.
  var moments: [Moment] = []
  /// What was imported.
  private(set) var imported: SavedRun?

  var name: String { plan?.name ?? record.name }
  /// The name, and the list that was run under it.
  var title: String { plan?.composed.title ?? imported?.name ?? record.name }
  /// What it can be composed from again, if that is known.
  var script: String? { plan?.composed.script ?? imported?.script }
}

extension FinishedRun {
  /// It could not finish, for a reason that whoever has nothing but its record has to be told, too.
  ///
  /// - Parameter reason: a whole sentence.
  mutating func couldNotFinish(_ reason: String) {
    record.error = reason
    remarks.insert(reason, at: 0)
  }

  /// The record without what the remarks say, which stand below its timeline.
  var drawnRecord: RunRecord {
    guard let error = record.error, remarks.contains(error) else { return record }
    var drawn = record
    drawn.error = nil
    drawn.standstill = nil
    return drawn
  }

  /// The run of another program, or of a session before this one.
  init(imported run: SavedRun) {
    self.init(plan: nil, record: run.record, events: run.events)
    imported = run
  }
}
