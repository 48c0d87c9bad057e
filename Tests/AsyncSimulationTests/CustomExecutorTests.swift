import AsyncSimulation
import Dispatch
import Foundation
import PatternTesting
import Testing

/// Executors of the program itself, which know nothing of the simulation.
@Suite struct CustomExecutorTests {
  /// Runs a task in a simulation, and returns its value and the recorded events.
  private static func simulate<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> (value: Value, events: [TraceEvent], runtime: SimulatedRuntime) {
    let recording = PatternTesting.Recording()
    let runtime = SimulatedRuntime(patience: .seconds(10), trace: recording)
    let task = runtime.task(body)
    runtime.runUntilIdle()
    return (try await task.value, recording.events, runtime)
  }

  /// The names of the places where the task of that name ran, in order.
  private static func places(of name: String, in events: [TraceEvent]) -> [String] {
    let names = Dictionary(
      events.filter { $0.kind == .submitted }.map { ($0.span, $0.name) },
      uniquingKeysWith: { first, _ in first })
    return events.filter {
      names[$0.span] == name && ($0.kind == .started || $0.kind == .resumed)
    }
    .map { names[$0.executor] ?? "" }
  }

  @Test func `an executor that runs its jobs in tasks is a place, and no escape`() async throws {
    let (count, events, runtime) = try await Self.simulate {
      let counter = Counter(on: TaskExecutorOfOwn())
      await Task(name: "visitor") { await counter.add() }.value
      return await counter.count
    }
    #expect(count == 1)
    #expect(runtime.escapes.isEmpty)
    #expect(runtime.report.unfinishedTasks.isEmpty)
    #expect(
      Self.places(of: "visitor", in: events) == ["", "TaskExecutorOfOwn", "TaskExecutorOfOwn"])
    let started = Set(events.filter { $0.kind == .started }.map(\.span))
    let finished = Set(events.filter { $0.kind == .finished }.map(\.span))
    #expect(started == finished)
  }

  @Test func `an executor that runs its jobs on its own thread is an escape`() async throws {
    let (count, events, runtime) = try await Self.simulate {
      let counter = Counter(on: ThreadExecutor.shared)
      try await Task(name: "visitor") {
        await counter.add()
        try await Task.sleep(for: .seconds(1))
      }.value
      return await counter.count
    }
    #expect(count == 1)
    #expect(!runtime.escapes.isEmpty)
    #expect(runtime.now == .zero.advanced(by: .seconds(1)))
    #expect(runtime.report.unfinishedTasks.isEmpty)
    // The escape names the task that returned.
    let visitor = events.first { $0.kind == .submitted && $0.name == "visitor" }?.span
    #expect(runtime.escapes.contains { $0.suspects == [visitor] })
    #expect(
      events.contains {
        $0.kind == .misuse && $0.name == "clock-escape" && $0.span == visitor
      })
  }

  @Test func `an executor that runs its jobs on a Dispatch queue is not an escape`() async throws {
    let (count, _, runtime) = try await Self.simulate {
      let counter = Counter(on: QueueExecutor())
      await Task(name: "visitor") { await counter.add() }.value
      return await counter.count
    }
    #expect(count == 1)
    #expect(runtime.escapes.isEmpty)
  }

  @Test func `a body on a custom executor is explored, and its escape is awaited`() async {
    let report = await Exploration(schedules: 10, patience: .seconds(10)).explore {
      let counter = Counter(on: ThreadExecutor.shared)
      async let first: Void = counter.add()
      async let second: Void = counter.add()
      _ = await (first, second)
      try check(await counter.count == 2)
    }
    #expect(report.schedules == 10)
    #expect(report.violation == nil, "\(report)")
  }

  /// The tasks complete on a thread outside the simulation, right after their sleeps have ended together.
  @Test func `sleeps that end together may continue on custom executors`() async {
    let report = await Exploration(schedules: 20, isExact: true, patience: .seconds(10)).explore {
      let counter = Counter(on: ThreadExecutor.shared)
      let tasks = (1...3).map { _ in Task { try await counter.nap() } }
      try await Task.sleep(for: .seconds(1))
      tasks[0].cancel()
      for task in tasks { _ = await task.result }
    }
    #expect(report.schedules == 20)
    #expect(report.violation == nil, "\(report)")
  }
}

private actor Counter {
  private let executor: any SerialExecutor
  private(set) var count = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(on executor: any SerialExecutor) { self.executor = executor }

  func add() {
    preconditionIsolated()
    count += 1
  }

  func nap() async throws { try await Task.sleep(for: .seconds(1)) }
}

/// Runs each job inside its own task.
private final class TaskExecutorOfOwn: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Task(name: "executor") { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}

/// Runs its jobs on its own thread, which lasts as long as the process.
private final class ThreadExecutor: SerialExecutor, @unchecked Sendable {
  // Safe to share: the lock of the condition protects the jobs.
  static let shared = ThreadExecutor()

  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []

  private init() { Thread.detachNewThread { self.run() } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.withLock { jobs.append(job) }
    condition.signal()
  }

  private func run() {
    while true {
      let job = condition.withLock {
        while jobs.isEmpty { condition.wait() }
        return jobs.removeFirst()
      }
      job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}

/// Runs its jobs on a Dispatch queue.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
