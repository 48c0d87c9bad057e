@_exported public import AsyncPatterns
import SwiftTasks
import Synchronization

/// A runtime with a virtual clock: a discrete-event simulation, exact and repeatable.
///
/// ```swift
/// let runtime = SimulatedRuntime(workers: 2)
/// for _ in 1...4 {
///   runtime.pool.schedule { runtime.work(for: .milliseconds(10)) }
/// }
/// runtime.runUntilIdle()
/// runtime.now  // 20 ms after the start
/// ```
///
/// The clock starts at zero and stands still while jobs run; when nothing is ready it jumps to the next
/// timer. Nothing happens until one of the `run` functions is called, and then one job runs at a time,
/// on threads of the simulation's own. What could happen in any order is decided by the seed: 0 means
/// first in, first out; one seed always gives the same order, and the same trace.
///
/// The workers of the pool are the lanes 1 to `width`; the lowest-numbered free one takes the next job.
/// A thread is used up by a job that parks in `wait`, `block` or `work` only; one that waits for a
/// permit that never comes stays parked until ``abandon()``. Who waits for whom then tells a ``Standstill``.
///
/// What is still to happen when nobody holds the runtime any more is let go of and never happens, except that a
/// run goes on to its end. A job that holds the runtime keeps it until it has run.
public final class SimulatedRuntime: Runtime, VirtualRuntime {
  public let main: any RunLoopScheduler
  public let pool: any Scheduler
  public let width: Int
  public var trace: (any TraceSink)? { loop.trace }
  public var virtual: (any VirtualRuntime)? { self }

  let loop: EventLoop
  private let semaphoreCount = Atomic<Int>(0)
  private let sideLoopCount = Atomic<UInt32>(0)

  /// - Parameters:
  ///   - workers: how many jobs the pool can have under way at once, at least one.
  ///   - seed: decides what happens first of what could happen in any order.
  ///   - patience: how much real time to wait, with nothing else to do, for a step's asynchronous code
  ///     that may have left the runtime.
  public convenience init(
    workers: Int = 4, seed: UInt64 = 0, patience: Duration = .milliseconds(100),
    trace: (any TraceSink)? = nil
  ) {
    self.init(workers: workers, choices: Choices(seed: seed), patience: patience, trace: trace)
  }

  /// A simulation that repeats what another one did.
  ///
  /// - Parameter schedule: the `schedule` of that one. Where it ends, first in is first out.
  public convenience init(
    workers: Int = 4, replaying schedule: [Int], patience: Duration = .milliseconds(100),
    trace: (any TraceSink)? = nil
  ) {
    let choices = Choices(.firstInFirstOut, replaying: schedule.map { UInt32(clamping: $0) })
    self.init(workers: workers, choices: choices, patience: patience, trace: trace)
  }

  /// - Parameter probe: what an exploration does to the simulation, and wants to know of it.
  init(
    workers: Int, choices: Choices, patience: Duration, trace: (any TraceSink)?,
    probe: Probe? = nil, room: consuming EventLoop.Room = EventLoop.Room()
  ) {
    width = min(max(workers, 1), 1_000_000)
    loop = EventLoop(
      workers: width, choices: choices, patience: patience, trace: trace, probe: probe,
      room: room)
    main = SimulatedRunLoop(on: nil, of: loop)
    pool = SimulatedScheduler(loop: loop, target: .pool)
  }

  // What is left holds the loop, which holds what is left.
  deinit { loop.retire() }

  public func serial(_ label: String) -> any Scheduler {
    SimulatedScheduler(loop: loop, target: .strand(Strand(label: label)))
  }

  /// The lanes of such loops come after those of the workers, in the order in which the loops were made.
  public func runLoop(_ label: String) -> any RunLoopScheduler {
    let number = sideLoopCount.add(1, ordering: .relaxed).newValue
    let side = SideLoop(label: label, lane: UInt32(width) + number)
    return SimulatedRunLoop(on: side, of: loop)
  }

  /// A thread that is not the simulation's may wait, too; it waits for real, and while nobody runs the
  /// simulation it gets no permit.
  public func semaphore(_ value: Int) -> any BlockingSemaphore {
    let number = semaphoreCount.add(1, ordering: .relaxed).newValue
    return SimulatedSemaphore(value, number: number, of: loop)
  }

  /// For no time, whatever else is ready may go first: between a check and an act that relies on it, that
  /// is where an exploration lets others in.
  ///
  /// Only inside a job of this simulation; elsewhere it returns at once and is reported as misuse.
  public func occupy(
    _ activity: WorkerActivity, for duration: Duration, unless cancellation: Cancellation?
  ) {
    loop.occupyCaller(activity, for: duration, unless: cancellation)
  }

  public func occupy(
    _ activity: WorkerActivity, for duration: Duration, unless cancellation: Cancellation,
    begin: @escaping @Sendable () -> Void, then job: @escaping @Sendable () -> Void
  ) {
    let occupation = Occupation(
      activity, for: duration, unless: cancellation, begin: Job(begin), then: Job(job), at: loop.now
    )
    loop.perform { $0.ready.append(.occupation(occupation), chain: $0.chains.next()) }
  }

  /// For an exploration also between runs, when it looks at what has come of one.
  public var isForeignThread: Bool {
    !loop.isCarriedByCaller && (loop.probe != nil || loop.inbox.isRunning)
  }

  public var leadsTasks: Bool { RuntimeSupport.current.obstacle == nil }

  public func asynchronousBodyStarted(_ span: Span) {
    loop.perform { $0.asynchronousBodies[span, default: 0] += 1 }
  }

  public func asynchronousBodyEnded(_ span: Span) {
    loop.perform { loop in
      guard let count = loop.asynchronousBodies[span] else { return }
      loop.asynchronousBodies[span] = count == 1 ? nil : count - 1
    }
  }

  public func misuse(_ rule: String, _ detail: String, of span: Span) {
    loop.misuse(rule, detail, of: span)
  }

  /// One of `count` possibilities, as the seed or the schedule decides: the way for code under test to
  /// have something happen or not, which an exploration then tries out.
  ///
  /// - Returns: 0 to `count` - 1; 0 is what happens first in, first out. 0 as well outside of the jobs of
  ///   this simulation.
  public func choose(_ count: Int) -> Int {
    loop.isCarriedByCaller ? loop.choices.choose(count) : 0
  }
}
