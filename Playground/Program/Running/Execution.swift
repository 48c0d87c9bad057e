import AsyncPatterns
import TimingTrace

/// A run that is under way: it can be called off, and it can be waited for. What does not stop within a
/// grace is left behind.
protocol Execution: Cancellable {
  var plan: RunPlan { get }

  /// The paths of what is under way, patterns left out.
  var waitingFor: [String] { get }

  /// The run as it would be if it ended now; or as it has ended, whether or not somebody has asked for that.
  var soFar: FinishedRun { get }

  /// When it starts, on the clock of its events.
  var start: Instant { get }

  /// What keeps its events, where others may read it meanwhile.
  var recording: Recorder? { get }

  /// What became of it. Asked for once; on the virtual clock the run begins then.
  func finished() async -> FinishedRun
}

extension Execution {
  var recordSoFar: RunRecord { soFar.record }

  /// What the virtual clock has made can be made again.
  var recording: Recorder? { nil }
  var start: Instant { .zero }
}
