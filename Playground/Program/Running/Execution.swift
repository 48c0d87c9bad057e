import AsyncPatterns

/// A run that is under way: it can be called off, and it can be waited for.
protocol Execution: Sendable {
  var plan: RunPlan { get }

  /// The paths of what is under way, patterns left out.
  var waitingFor: [String] { get }

  /// Stops it. What does not stop within a grace is left behind.
  func cancel()

  /// What became of it. Asked for once; on the virtual clock the run begins then.
  func finished() async -> FinishedRun
}
