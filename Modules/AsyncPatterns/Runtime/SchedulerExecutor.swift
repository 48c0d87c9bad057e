/// A scheduler as a `TaskExecutor`: tasks that prefer it, their child tasks and default actors run there.
public final class SchedulerExecutor: TaskExecutor {
  private let scheduler: any Scheduler

  public init(_ scheduler: any Scheduler) { self.scheduler = scheduler }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    scheduler.schedule { [self] in
      withExtendedLifetime(self) { job.runSynchronously(on: executor) }
    }
  }
}
