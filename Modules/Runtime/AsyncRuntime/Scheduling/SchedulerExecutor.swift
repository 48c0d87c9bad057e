/// A scheduler as a `TaskExecutor`: tasks that prefer it, their child tasks and default actors run there.
public final class SchedulerExecutor: TaskExecutor {
  private let scheduler: any Scheduler
  /// On whose behalf the tasks run.
  private let span: Span?

  /// An executor whose tasks run on behalf of whoever starts or resumes them.
  public init(_ scheduler: any Scheduler) {
    self.scheduler = scheduler
    span = nil
  }

  /// - Parameter span: on whose behalf the tasks run, whoever it is that resumes them.
  public init(_ scheduler: any Scheduler, span: Span) {
    self.scheduler = scheduler
    self.span = span
  }

  /// Runs a part of a task on the scheduler. For the runtime of Swift.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    let context = LaneContext.current
    let outer = context.causality
    // The scheduler's job takes it over, and so does who wonders where a foreign thread comes from.
    if let span, span != outer.span {
      let isByOther = outer.cause.kind == .itself && outer.span != .none
      let cause = isByOther ? Cause(.wakeUp, outer.span) : outer.cause
      context.causality = Causality(span: span, cause: cause)
    }
    scheduler.schedule { [self] in
      withExtendedLifetime(self) { job.runSynchronously(on: executor) }
    }
    context.causality = outer
  }
}
