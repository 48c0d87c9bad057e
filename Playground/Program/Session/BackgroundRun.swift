/// A run in the background.
@MainActor
final class BackgroundRun {
  /// The number of its run.
  let number: Int
  let execution: any Execution
  /// The result. Nil until the run has finished.
  var run: FinishedRun?
  var task: Task<Void, Never>?
  /// What its end means for the exit code, until that is counted.
  var reason: ExitStatus.Reason?

  init(number: Int, execution: any Execution) {
    self.number = number
    self.execution = execution
  }

  var name: String { execution.plan.name }
}
