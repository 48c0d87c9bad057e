internal import CSwiftTasks

@_silgen_name("swift_job_run")
private func runJob(_ job: UnownedJob, on executor: UnownedSerialExecutor)

/// A piece of work of Swift's concurrency runtime: a part of a task, or the work of an actor.
///
/// It must be run exactly once.
public struct SwiftJob: @unchecked Sendable {
  // Safe to share: the runtime hands it over, and before it runs, only constant parts are read.

  /// Where the runtime wants it to run.
  public enum Place: UInt8, Sendable {
    /// On any thread of the pool.
    case pool
    /// On the main actor.
    case main
    /// On the way from one executor to another. The task continues where the job is run.
    case hop
  }

  public let place: Place
  let pointer: UnsafeRawPointer

  init(_ job: UnownedJob, for place: Place) {
    pointer = unsafeBitCast(job, to: UnsafeRawPointer.self)
    self.place = place
  }

  /// Runs the job on the calling thread.
  public func run() {
    runJob(unsafeBitCast(pointer, to: UnownedJob.self), on: Executors.identity(of: place))
  }

  /// Whether the job would only end a sleep that was cancelled. Such a job does nothing but free memory.
  ///
  /// Only for a job that was received with a delay.
  public var isCancelledSleep: Bool {
    swift_tasks_sleepState(pointer).map { swift_tasks_isCancelledSleep($0) } ?? false
  }

  /// The sleep that the job ends; nil if it was cancelled, or if its task cannot be found.
  ///
  /// Only for a job that was received with a delay.
  public var endingSleep: EndingSleep? {
    guard let state = swift_tasks_sleepState(pointer), let task = swift_tasks_sleeper(state)
    else { return nil }
    return EndingSleep(of: SwiftTask(pointer: task), state: state)
  }

  /// The task to which the job belongs; nil for the work of an actor or of the runtime.
  public var task: SwiftTask? { swift_tasks_isTask(pointer) ? SwiftTask(pointer: pointer) : nil }

  /// Whether the job resumes a task that has called `Task.yield()`.
  public var isYield: Bool { swift_tasks_isYield(pointer) }
}
