/// A run in the background.
@MainActor
final class BackgroundRun {
  /// The number of its run.
  let number: Int
  let execution: any Execution
  /// The result. Nil until the run has finished.
  var run: FinishedRun?
  var task: Task<Void, Never>?
  /// Whether its end has been counted for the exit code.
  var isCounted = false

  init(number: Int, execution: any Execution) {
    self.number = number
    self.execution = execution
  }

  var name: String { execution.plan.name }
}
