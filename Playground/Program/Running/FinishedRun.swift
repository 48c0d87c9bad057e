import AsyncPatterns
import Simulation
import TimingTrace

/// A run that has ended, one way or another.
struct FinishedRun: Sendable {
  /// Its number in the session, from 1.
  var number = 0
  let plan: RunPlan
  var record: RunRecord
  let events: [TraceEvent]
  /// Why it could not finish, in whole sentences.
  var remarks: [String] = []
  /// What happened event by event, if it was written down.
  var moments: [Moment] = []

  var name: String { plan.name }
}
