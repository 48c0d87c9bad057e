import AsyncPatterns
import TimingTrace

/// A run in progress. It can be cancelled and awaited. If it does not stop within a grace period, it is left behind.
protocol Execution: CrashReceiver {
  var plan: RunPlan { get }

  /// What runs now, and how much of it is done, in a short phrase. Nil if that cannot be read.
  var progress: String? { get }

  /// The run as if it ended now. If it has ended, the finished run.
  var soFar: FinishedRun { get }

  /// When it starts, on the clock of its events.
  var start: Instant { get }

  /// The recorder that keeps its events, if other threads can read it meanwhile.
  var recording: Recorder? { get }

  /// Waits for the finished run. Call it once; on the virtual clock, the run starts with this call.
  func finished() async -> FinishedRun
}

extension Execution {
  /// What is in progress, and how many of the steps so far are done.
  var progress: String? {
    let record = recordSoFar
    let leaves = record.steps.filter(\.isLeaf)
    let done = leaves.count { $0.finished != nil }
    let running = record.inProgress
    let steps = running.isEmpty ? "no step" : running.shortList
    return "\(plan.shortTitle): \(steps) in progress, "
      + "\(done.grouped) of \(leaves.count.of("step")) done"
  }

  var recordSoFar: RunRecord { soFar.record }

  var stepInThisProcess: Step? { plan.composed.step }

  /// Nil by default: a run on the virtual clock can be repeated.
  var recording: Recorder? { nil }
  var start: Instant { .zero }
}

extension RunPlan {
  /// The title, shortened so that there is room beside it.
  var shortTitle: String {
    let title = composed.title
    return title.count > 32 ? title.prefix(31) + "…" : title
  }
}
