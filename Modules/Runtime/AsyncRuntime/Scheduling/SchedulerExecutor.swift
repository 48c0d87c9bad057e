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
    // The scheduler's job takes over on whose behalf the thread runs, and so does the report of a foreign thread.
    context.resuming(span ?? context.span) {
      scheduler.schedule { [self] in
        withExtendedLifetime(self) { job.runSynchronously(on: executor) }
      }
    }
  }
}
