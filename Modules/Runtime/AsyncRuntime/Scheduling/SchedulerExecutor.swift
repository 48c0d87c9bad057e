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

  /// Starts a task, and runs it on the calling thread until it first suspends. The thread must be running a job of the
  /// scheduler.
  ///
  /// - Parameters:
  ///   - start: makes the task, which must prefer this executor, and does nothing else.
  ///   - adopt: receives the task before it runs.
  package func startHere(
    _ start: () -> Task<Void, Never>, adopting adopt: (Task<Void, Never>) -> Void
  ) {
    let caught = LaneContext.current[Self.caught]
    caught.pointee = CaughtJob(isWanted: true)
    let task = start()
    let job = caught.pointee.job
    caught.pointee = CaughtJob()
    adopt(task)
    job?.runSynchronously(on: asUnownedTaskExecutor())
  }

  /// The first job of a task that `startHere` starts. It runs on the calling thread instead of being scheduled.
  private struct CaughtJob: BitwiseCopyable {
    var isWanted = false
    private var address: UInt = 0

    init(isWanted: Bool = false) { self.isWanted = isWanted }

    var job: UnownedJob? {
      get { address == 0 ? nil : unsafeBitCast(address, to: UnownedJob.self) }
      set { address = newValue.map { unsafeBitCast($0, to: UInt.self) } ?? 0 }
    }
  }

  private static let caught = LaneSlot<CaughtJob>()

  /// Runs a part of a task on the scheduler. Called by Swift's runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    let context = LaneContext.current
    let caught = context[Self.caught]
    if caught.pointee.isWanted {
      caught.pointee.isWanted = false
      caught.pointee.job = job
      return
    }
    // The scheduled job takes over the span for which this thread runs. If the thread does not belong
    // to the simulation, the simulation reports that, and its report names the same span.
    context.resuming(span ?? context.span) {
      scheduler.schedule { [self] in
        withExtendedLifetime(self) { job.runSynchronously(on: executor) }
      }
    }
  }
}
