internal import CSwiftTasks

/// A sleep that ends normally and whose task has not continued yet.
public struct EndingSleep: @unchecked Sendable {
  // Safe to share: only the thread that runs the task accesses the state.

  /// The task that sleeps.
  public let task: SwiftTask
  /// The memory that the task shares with the job that ends its sleep.
  private let state: UnsafeRawPointer

  init(of task: SwiftTask, state: UnsafeRawPointer) {
    self.task = task
    self.state = state
  }

  /// Makes the sleep throw a `CancellationError`, although it has ended normally. Call it just before the task
  /// continues. The cancelled task could not know the difference.
  ///
  /// Only if ``RuntimeSupport/cancelsEndedSleeps`` says that the runtime supports it.
  public func throwCancellation() {
    let error = unsafeBitCast(CancellationError() as any Error, to: AnyObject.self)
    let retained = Unmanaged.passRetained(error)
    if swift_tasks_throw(task.pointer, retained.toOpaque()) {
      // A sleep that throws leaves its state to the job that ends it, and that job has already run.
      state.deallocate()
    } else {
      retained.release()
    }
  }
}
