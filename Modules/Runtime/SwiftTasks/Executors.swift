internal import CSwiftTasks
internal import Glibc
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// The executors of the process. They hand the jobs of a simulation's threads and tasks to that
/// simulation, and all other jobs to the executors of the platform.
struct Executors: ExecutorFactory {
  static let pool = Pool(), main = Main(), hop = HopStation()
  static var mainExecutor: any MainExecutor { main }
  static var defaultExecutor: any TaskExecutor { pool }

  // Computed, since a constant would be looked up for each job.
  private static var poolIdentity: UnownedSerialExecutor {
    unsafeBitCast((0 as UInt, 0 as UInt), to: UnownedSerialExecutor.self)
  }
  private static let mainIdentity = main.asUnownedSerialExecutor()
  private static let hopIdentity = hop.asUnownedSerialExecutor()

  /// The executor on which a job runs at this place, as the runtime identifies it.
  static func identity(of place: SwiftJob.Place) -> UnownedSerialExecutor {
    switch place {
    case .pool: poolIdentity
    case .main: mainIdentity
    case .hop: hopIdentity
    }
  }
}

// The default executor must also schedule: the runtime hands a sleep to no other executor.
final class Pool: TaskExecutor, SchedulingExecutor {
  private let platform = PlatformExecutorFactory.defaultExecutor
  private let platformScheduling =
    PlatformExecutorFactory.defaultExecutor as? any SchedulingExecutor

  func enqueue(_ job: consuming ExecutorJob) {
    if swift_tasks_getIsUsed() { lead(UnownedJob(job)) } else { platform.enqueue(job) }
  }

  // Not inlined, so that a job outside all simulations saves no registers for this call.
  @inline(never) private func lead(_ job: UnownedJob) {
    if !TaskSimulation.receive(job, for: .pool) { platform.enqueue(ExecutorJob(job)) }
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
  ) {
    let job = UnownedJob(job)
    if let delay = delay as? Duration, Self.receive(job, after: delay) { return }
    platformScheduling!.enqueue(ExecutorJob(job), after: delay, tolerance: tolerance, clock: clock)
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
  ) {
    let job = UnownedJob(job)
    if let delay = clock.now.duration(to: instant) as? Duration, Self.receive(job, after: delay) {
      return
    }
    platformScheduling!.enqueue(ExecutorJob(job), at: instant, tolerance: tolerance, clock: clock)
  }

  private static func receive(_ job: UnownedJob, after delay: Duration) -> Bool {
    TaskSimulation.receive(job, for: .pool, after: delay.nanosecondsRoundedUp)
  }
}

final class Main: MainExecutor {
  private let platform = PlatformExecutorFactory.mainExecutor

  func enqueue(_ job: consuming ExecutorJob) {
    if swift_tasks_getIsUsed() { lead(UnownedJob(job)) } else { platform.enqueue(job) }
  }

  // Not inlined, so that a job outside all simulations saves no registers for this call.
  @inline(never) private func lead(_ job: UnownedJob) {
    if !TaskSimulation.receive(job, for: .main) { platform.enqueue(ExecutorJob(job)) }
  }

  var isMainExecutor: Bool { true }
  func checkIsolated() { platform.checkIsolated() }
  func run() throws {
    guard let simulation = TaskSimulation.ofProcess else { return try platform.run() }
    simulation.run()
    // Other threads keep running, and end the process.
    while true { pause() }
  }
  func runUntil(_ condition: () -> Bool) throws { try platform.runUntil(condition) }
  func stop() { platform.stop() }
}

/// The executor that tasks of a simulation pass through on their way from one executor to another.
final class HopStation: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isReceived = TaskSimulation.receive(job, for: .hop)
    precondition(isReceived, "A job outside of every simulation hopped through a simulation")
  }
}

extension Duration {
  /// The duration in nanoseconds, rounded up and clamped to the range from zero to the largest
  /// number.
  fileprivate var nanosecondsRoundedUp: Int64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowsToo) = whole.addingReportingOverflow(
      (attoseconds + 999_999_999) / 1_000_000_000)
    return overflows || overflowsToo ? .max : sum
  }
}

/// Sets the executors of the process, once.
@_cdecl("swift_tasks_install")
func install() { installed }

private let installed: Void = {
  _createExecutors(factory: Executors.self)
  let (identity, implementation) = unsafeBitCast(
    Executors.identity(of: .hop), to: (UInt, UInt).self)
  swift_tasks_setHopStation(identity, implementation)
  swift_tasks_openShortcut()
}()

private let platformPool = PlatformExecutorFactory.defaultExecutor

/// Called for most jobs of the pool that belong to no simulation.
@_silgen_name("swift_tasks_enqueueOnPlatform")
func enqueueOnPlatform(_ job: UnownedJob) { platformPool.enqueue(ExecutorJob(job)) }
