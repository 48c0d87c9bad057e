import AsyncPatterns
import Simulation
import TimingTrace

/// A run that has ended, one way or another.
struct FinishedRun: Sendable {
  /// Its number in the session, from 1.
  var number = 0
  /// What it was known by while it went on.
  var ticket: SessionLog.Ticket?
  /// Whether it only warmed caches and threads up, before a comparison.
  var isWarmUp = false
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
  /// The run of another program, or of a session before this one.
  init(imported run: SavedRun) {
    self.init(plan: nil, record: run.record, events: run.events)
    imported = run
  }
}
