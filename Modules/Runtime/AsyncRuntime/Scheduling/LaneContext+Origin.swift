extension LaneContext {
  /// The origin of code that is scheduled now and runs later.
  public func origin(on scheduler: any Scheduler) -> CodeOrigin {
    CodeOrigin(causality: causality, ready: scheduler.now)
  }

  /// Makes the code run for the span of `origin`, and because of its cause, until the job returns. Use it where a task
  /// continues after a step that may have ended without suspending the task.
  public func continueFrom(_ origin: CodeOrigin) { causality = origin.causality }
}
