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
/// The clock starts at zero. It does not advance while jobs run. When nothing is ready, it jumps to the next timer.
/// Nothing happens until one of the `run` functions is called. Then one job runs at a time, on threads of the
/// simulation. The seed decides the order of events that could happen in any order. Seed 0 means first in, first out.
/// The same seed always gives the same order and the same trace.
///
/// The workers of the pool are the lanes 1 to `width`. The free worker with the lowest number takes the next job. Only
/// a job that blocks in `wait`, `block` or `work` uses up a thread. A job that waits for a permit that never comes
/// stays blocked until ``abandon()``. A ``StallReport`` shows which jobs wait for which.
///
/// When the last reference to the runtime is released, its pending work is released and never happens. A run in
/// progress still continues to its end. A job that holds the runtime keeps it until the job has run.
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
  ///   - workers: how many jobs the pool can have in progress at the same time, at least one.
  ///   - seed: decides the order of events that could happen in any order.
  ///   - patience: how much real time to wait, with nothing else to do, for a step's asynchronous code that may have
  ///     left the runtime.
  public convenience init(
    workers: Int = 4, seed: UInt64 = 0, patience: Duration = .milliseconds(100),
    trace: (any TraceSink)? = nil
  ) {
    self.init(workers: workers, choices: Choices(seed: seed), patience: patience, trace: trace)
  }

  /// A simulation that repeats another one.
  ///
  /// - Parameter schedule: the `schedule` of the other simulation. After its end, the order is first in, first out.
  public convenience init(
    workers: Int = 4, replaying schedule: [Int], patience: Duration = .milliseconds(100),
    trace: (any TraceSink)? = nil
  ) {
    let choices = Choices(.firstInFirstOut, replaying: schedule.map { UInt32(clamping: $0) })
    self.init(workers: workers, choices: choices, patience: patience, trace: trace)
  }

  /// - Parameter probe: how an exploration influences and observes the simulation.
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

  // Pending work holds the loop, and the loop holds the pending work. This breaks the cycle.
  deinit { loop.retire() }

  public func serial(_ label: String) -> any Scheduler {
    SimulatedScheduler(loop: loop, target: .strand(Strand(label: label)))
  }

  /// The lanes of run loops are numbered after those of the workers, in the order in which the loops were made.
  public func runLoop(_ label: String) -> any RunLoopScheduler {
    let number = sideLoopCount.add(1, ordering: .relaxed).newValue
    let side = SideLoop(label: label, lane: UInt32(width) + number)
    return SimulatedRunLoop(on: side, of: loop)
  }

  /// A thread outside the simulation can wait as well. It is really blocked, and it gets no permit while no thread runs
  /// the simulation.
  public func semaphore(_ value: Int) -> any BlockingSemaphore {
    let number = semaphoreCount.add(1, ordering: .relaxed).newValue
    return SimulatedSemaphore(value, number: number, of: loop)
  }

  /// With a duration of zero, any other ready work may run first. Call it that way between a check and an action that
  /// relies on the check. An exploration can then run other jobs in between.
  ///
  /// Call it only inside a job of this simulation. Elsewhere it returns immediately, and reports a misuse if the
  /// duration is above zero.
  public func occupy(
    _ activity: WorkerActivity, for duration: Duration, cancellation: Cancellation?
  ) {
    loop.occupyCaller(activity, for: duration, cancellation: cancellation)
  }

  public func occupy(
    _ activity: WorkerActivity, for duration: Duration, cancellation: Cancellation,
    begin: @escaping @Sendable () -> Void, then job: @escaping @Sendable () -> Void
  ) {
    let occupation = Occupation(
      activity, for: duration, cancellation: cancellation, begin: Job(begin), then: Job(job),
      at: loop.now
    )
    loop.perform { $0.ready.append(.occupation(occupation), chain: $0.chains.next()) }
  }

  /// Whether the calling thread does not belong to the simulation, and a run is in progress. In an exploration, no run
  /// needs to be in progress, because it also examines the result of a run between runs.
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

  /// One of `count` possibilities, as the seed or the schedule decides. Code under test can use it to make something
  /// happen or not. An exploration then tries the possibilities.
  ///
  /// - Returns: 0 to `count` - 1. It is 0 if the order is first in, first out, and outside the jobs of this simulation.
  public func choose(_ count: Int) -> Int {
    loop.isCarriedByCaller ? loop.choices.choose(count) : 0
  }
}
