/// A scheduler as a `TaskExecutor`: tasks that prefer it, their child tasks and default actors run there.
public final class SchedulerExecutor: TaskExecutor {
  private let scheduler: any Scheduler
  /// On whose behalf the tasks run.
  private let span: Span?
  /// Told where the tasks wait for a worker, on a virtual clock: on the live one that takes a moment anyway.
  private let trace: (any TraceSink)?

  /// An executor whose tasks run on behalf of whoever starts or resumes them.
  public init(_ scheduler: any Scheduler) {
    self.scheduler = scheduler
    span = nil
    trace = nil
  }

  /// - Parameter span: on whose behalf the tasks run, whoever it is that resumes them.
  package init(_ scheduler: any Scheduler, span: Span) {
    self.scheduler = scheduler
    self.span = span
    trace = nil
  }

  /// One for the code of a step, on the pool; the trace learns where that waits for a worker.
  ///
  /// - Parameter span: of the step.
  init(of runtime: any Runtime, span: Span) {
    scheduler = runtime.pool
    self.span = span
    trace = runtime.clockKind == .virtual ? runtime.trace : nil
  }

  /// Runs a part of a task on the scheduler. For the runtime of Swift.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    let context = LaneContext.current
    let outer = context.causality
    // The scheduler's job takes it over, and so does who wonders where a foreign thread comes from.
    if let span { context.causality.span = span }
    if let due = DueTime(on: scheduler, trace: trace) {
      scheduler.schedule { [self] in
        due.run(in: .current) {
          withExtendedLifetime(self) { job.runSynchronously(on: executor) }
        }
      }
    } else {
      scheduler.schedule { [self] in
        withExtendedLifetime(self) { job.runSynchronously(on: executor) }
      }
    }
    context.causality = outer
  }
}
