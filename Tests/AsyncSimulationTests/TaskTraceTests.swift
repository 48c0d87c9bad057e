import AsyncSimulation
import Dispatch
import Testing

/// Checks what the trace of a simulation records about the tasks of plain Swift.
@Suite struct TaskTraceTests {
  private static func trace(
    _ body: @escaping @Sendable () async throws -> Void
  ) -> [TraceEvent] {
    let log = TaskEvents()
    let runtime = SimulatedRuntime(patience: .seconds(10), trace: log)
    runtime.task(body)
    runtime.runUntilIdle()
    return log.events
  }

  private static func namesOfTasks() -> [String] {
    let events = trace {
      await withTaskGroup(of: String.self) { group in
        group.addTask { "child" }
      }
      _ = await Task { [1] }.value
      _ = await Task.detached { Locked("detached") }.value
      async let number = 1
      _ = await number
    }
    return events.filter { $0.kind == .submitted }.map(\.name)
  }

  @Test func `a task without a name has the name of its closure`() {
    let own = "in static TaskTraceTests.namesOfTasks()"
    #expect(
      Self.namesOfTasks() == [
        "trace(_:)", "closure #1 \(own)", "closure #2 \(own)", "closure #3 \(own)",
        "closure #1 \(own) 2",
      ])
  }

  @Test func `the body is recorded from its start to its end`() throws {
    let events = Self.trace {
      await Task.yield()
      _ = await Task(name: "other") {}.value
    }
    let first = try #require(events.first)
    #expect(first.kind == .submitted)
    #expect(first.lane == .main)
    let own = events.filter { $0.span == first.span }.map(\.kind)
    #expect(own == [.submitted, .started, .suspended, .resumed, .suspended, .resumed, .finished])
  }

  @Test func `a task that an outside thread resumes has no lane before it runs`() throws {
    let events = Self.trace {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume() }
      }
    }
    let first = try #require(events.first)
    let own = events.filter { $0.span == first.span && $0.kind != .misuse }.map(\.kind)
    #expect(own == [.submitted, .started, .suspended, .resumed, .finished])
  }

  @Test func `the end of a sleep says when the sleep began`() throws {
    let events = Self.trace {
      await Task(name: "sleeper") {
        try? await Task.sleep(for: .milliseconds(2))
        try? await Task.sleep(for: .milliseconds(3))
      }.value
    }
    let sleeper = try #require(events.first { $0.name == "sleeper" }).span
    let ends = events.filter { $0.span == sleeper && $0.kind == .resumed }
    #expect(ends.map(\.cause) == [Cause(.timer, sleeper), Cause(.timer, sleeper)])
    #expect(ends.map(\.after) == [.itself, .itself])
    #expect(ends.map(\.since.nanoseconds) == [0, 2_000_000])
    #expect(ends.map(\.time.nanoseconds) == [2_000_000, 5_000_000])
  }

  private struct NoNetwork: Error {}

  @Test func `the end of a task says how it ended, and names the type of its error`() throws {
    let events = Self.trace {
      let failing = Task(name: "failing") { throw NoNetwork() }
      let cancelled = Task(name: "cancelled") { try await Task.sleep(for: .seconds(1)) }
      cancelled.cancel()
      _ = await (failing.result, cancelled.result)
      try? await withThrowingTaskGroup { group in
        group.addTask(name: "member") { throw NoNetwork() }
        try await group.waitForAll()
      }
      async let child: Void = { throw NoNetwork() }()
      try? await child
    }
    let tasks = events.filter { $0.kind == .submitted }
    let ends = tasks.dropFirst().map { task in
      events.first { $0.kind == .finished && $0.span == task.span }
    }
    #expect(ends.map { $0?.outcome } == [.failure, .cancelled, .failure, .failure])
    #expect(
      ends.map { $0?.detail } == ["NoNetwork", "CancellationError", "NoNetwork", "NoNetwork"])
  }

  /// Its other waits are part of its own code.
  @Test func `a step that waits for a task resumes because of its end`() throws {
    let log = TaskEvents()
    let runtime = SimulatedRuntime(patience: .seconds(10), trace: log)
    let step = Step(
      "step",
      run: { _, _ in
        try? await Task.sleep(for: .milliseconds(1))
        await Task(name: "slow") { try? await Task.sleep(for: .milliseconds(2)) }.value
        return Value.none
      })
    Run(step, on: runtime) { _ in }
    runtime.runUntilIdle()
    let slow = try #require(log.events.first { $0.name == "slow" }).span
    let span = try #require(log.events.first { $0.name == "step" }).span
    let own = log.events.filter { $0.span == span }
    #expect(own.map(\.kind) == [.submitted, .started, .resumed, .finished])
    #expect(own.map(\.cause)[2] == Cause(.end, slow))
  }

  @Test func `a task that runs another task on its stack is not suspended`() throws {
    let events = Self.trace {
      await Task(name: "creator") {
        let inner = Task.immediate(name: "inner") { await Task.yield() }
        Task(name: "next") {}
        await inner.value
      }.value
    }
    let spans = Dictionary(
      events.filter { $0.kind == .submitted }.map { ($0.name, $0.span) },
      uniquingKeysWith: { first, _ in first })
    let (creator, next) = (try #require(spans["creator"]), try #require(spans["next"]))
    let own = events.filter { $0.span == creator }.map(\.kind)
    #expect(own == [.submitted, .started, .suspended, .resumed, .finished])
    #expect(events.first { $0.span == next }?.cause == Cause(.parent, creator))
  }
}

/// Keeps the events of a simulation.
private final class TaskEvents: TraceSink {
  private let state = Locked((events: [TraceEvent](), spanCount: UInt32(0)))

  var events: [TraceEvent] { state.withLock { $0.events } }

  func record(_ event: TraceEvent) { state.withLock { $0.events.append(event) } }

  func nextSpan() -> Span {
    .outsideRuns(
      state.withLock { state in
        state.spanCount += 1
        return state.spanCount
      })
  }
}
