import AsyncPatterns
import AsyncSimulation
import Testing

/// Checks what the trace records for timers that fire while another job holds their lane.
@Suite(.timeLimit(.minutes(1))) struct QueuedTimerTests {
  @Test(arguments: [(1, [20_000_000.0]), (2, [])])
  func `a timer records how long it waited`(workers: Int, waits: [Double]) {
    let group = Step(
      "g", pattern: SideBySide(),
      steps: [.sleep("a", .milliseconds(10)), .work("b", .milliseconds(30))])
    let recording = simulate(group, workers: workers).recording
    let queued = recording.waitsForLane
    #expect(queued.map(\.number) == waits)
    #expect(queued.allSatisfy { $0.lane != .main && $0.time == .init(nanoseconds: 30_000_000) })
    #expect(queued.map { recording.label(of: $0.span) } == waits.map { _ in "a" })
    #expect(queued.map { recording.label(of: $0.cause.span) } == waits.map { _ in "b" })
    #expect(queued.allSatisfy { $0.since == .zero }, "when the timer was set")
  }

  /// The asynchronous code returns to the pool twice: after its sleep, and when its task ends.
  @Test func `asynchronous code records it too`() throws {
    let sleeping = Step("a") { _, scope in
      try await scope.sleep(for: .milliseconds(10))
      return .none
    }
    let group = Step(
      "g", pattern: SideBySide(), steps: [sleeping, .work("b", .milliseconds(30))])
    let recording = simulate(group, workers: 1).recording
    let queued = try #require(recording.waitsForLane.first)
    #expect(recording.label(of: queued.span) == "a")
    #expect(queued.number == 20_000_000)
  }

  @Test func `it is recorded on the live clock too`() async throws {
    let recording = Recording()
    let runtime = LiveRuntime(workers: 1, trace: recording)
    // All timers are delivered one after another. When a later timer has fired elsewhere, the first one is queued here.
    let elsewhere = LiveRuntime(workers: 1)
    let holding = Step("holding") { _, scope, completion in
      scope.runtime.pool.schedule(after: .zero) { completion(.success(.none)) }
      let isLate = Locked(false)
      let timer = elsewhere.pool.schedule(after: .milliseconds(3)) { isLate.withLock { $0 = true } }
      // This job holds the only worker, so the first timer fires while no worker is free.
      while !isLate.withLock({ $0 }) {}
      timer.cancel()
    }
    await withCheckedContinuation { continuation in
      Run(holding, on: runtime) { _ in continuation.resume() }
    }
    #expect(recording.waitsForLane.count == 1)
    let queued = try #require(recording.waitsForLane.first)
    #expect(recording.label(of: queued.span) == "holding")
    #expect(queued.number >= 2_000_000)
  }

  @Test func `without a trace, nothing is recorded`() {
    let runtime = SimulatedRuntime(workers: 1)
    let group = Step(
      "g", pattern: SideBySide(),
      steps: [.sleep("a", .milliseconds(10)), .work("b", .milliseconds(30))])
    Run(group, on: runtime) { _ in }
    #expect(runtime.runUntilIdle() == .idle)
    #expect(runtime.now == .init(nanoseconds: 30_000_000))
  }
}

extension Recording {
  /// The `resumed` events that were caused by a wait for a lane.
  fileprivate var waitsForLane: [TraceEvent] {
    events.filter { $0.kind == .resumed && $0.cause.kind == .lane }
  }

  fileprivate func label(of span: Span) -> String? {
    events.first { $0.kind == .submitted && $0.span == span }?.name
  }
}
