/// A scheduler as a `TaskExecutor`: tasks that prefer it, their child tasks and default actors run there.
public final class SchedulerExecutor: TaskExecutor {
  private let scheduler: any Scheduler
  /// The span on whose behalf the tasks run.
  private let span: Span?

  /// An executor whose tasks run on behalf of the span that starts or resumes them.
  public init(_ scheduler: any Scheduler) {
    self.scheduler = scheduler
    span = nil
  }

  /// - Parameter span: the span on whose behalf the tasks run, whatever resumes them.
  public init(_ scheduler: any Scheduler, span: Span) {
    self.scheduler = scheduler
    self.span = span
  }

  /// Runs a part of a task on the scheduler. Called by Swift's runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    let context = LaneContext.current
    // The scheduler's job takes over the span for which the thread runs. A report of a foreign
    // thread does so, too.
    context.resuming(span ?? context.span) {
      scheduler.schedule { [self] in
        withExtendedLifetime(self) { job.runSynchronously(on: executor) }
      }
    }
  }
}
