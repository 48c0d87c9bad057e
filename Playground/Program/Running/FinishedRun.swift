import AsyncPatterns
import TimingTrace

/// A run that has ended, one way or another.
struct FinishedRun: Sendable {
  /// Its number in the session, from 1.
  var number = 0
  let plan: RunPlan
  let record: RunRecord
  let events: [TraceEvent]
  /// Why it could not finish, in whole sentences.
  var remarks: [String] = []
  /// Whether parts of it may still go on, on the workers it had.
  var isLeftBehind = false

  var name: String { plan.name }
}
