import AsyncSimulation
import Testing

@Suite struct TimeTests {
  static let timed: [(Step, Int64)] = [
    (atOnce((1...4).map { .sleep("\($0)", .ms(10)) }), 10),
    (atOnce((1...4).map { .work("\($0)", .ms(10)) }), 20),
    (atOnce((1...5).map { .block("\($0)", .ms(10)) }), 30),
    (inOrder((1...4).map { .work("\($0)", .ms(10)) }), 40),
    (inOrder((1...4).map { .value("\($0)", .integer($0)) }), 0),
    (
      Step("queue", pattern: BlockingQueue(), steps: [.sleep("a", .ms(5)), .work("b", .ms(9))]), 14
    ),
    (.sleep("long", .seconds(30 * 86_400)), 30 * 86_400_000),
  ]

  static func atOnce(_ steps: [Step]) -> Step { Step("all", pattern: AtOnce(), steps: steps) }
  static func inOrder(_ steps: [Step]) -> Step { Step("all", pattern: InOrder(), steps: steps) }

  @Test(arguments: timed)
  func `a run on two workers takes exactly its time`(step: Step, milliseconds: Int64) throws {
    let runtime = SimulatedRuntime(workers: 2)
    _ = try #require(run(step, on: runtime)).get()
    #expect(runtime.now == .ms(milliseconds))
    #expect(runtime.report.pendingTimers == 0)
  }

  @Test func `work inside jobs holds their workers`() {
    let recording = Recording()
    let runtime = SimulatedRuntime(workers: 2, trace: recording)
    for _ in 1...4 { runtime.pool.schedule { runtime.work(for: .ms(10)) } }
    #expect(runtime.runUntilIdle() == .idle)
    #expect(runtime.now == .ms(20))
    #expect(recording.events("worked").count == 4)
    #expect(
      recording.events.map { String($0.prefix(26)) } == [
        "10000000 worked lane 1 spa", "10000000 worked lane 2 spa",
        "20000000 worked lane 1 spa", "20000000 worked lane 2 spa",
      ])
  }

  @Test func `timers fire by deadline, and timers with one deadline in the order they were set`() {
    let runtime = SimulatedRuntime()
    let log = Log()
    for (name, delay) in [("c", 20), ("a", 10), ("d", 20), ("b", 10), ("now", 0), ("past", -5)] {
      runtime.pool.schedule(after: .ms(delay)) {
        log.append("\(name) \(runtime.now.nanoseconds / 1_000_000)")
      }
    }
    runtime.runUntilIdle()
    #expect(log.entries == ["now 0", "past 0", "a 10", "b 10", "c 20", "d 20"])
  }

  @Test func `a cancelled timer neither fires nor moves the clock`() {
    let runtime = SimulatedRuntime()
    let log = Log()
    let outside = runtime.pool.schedule(after: .seconds(60)) { log.append("outside") }
    outside.cancel()
    runtime.pool.schedule {
      let inside = runtime.pool.schedule(after: .seconds(50)) { log.append("inside") }
      runtime.pool.schedule(after: .ms(1)) {
        inside.cancel()
        inside.cancel()
      }
    }
    // Both are due at 2 ms; the first to run cancels the second.
    let second = Locked<(any Cancellable)?>(nil)
    runtime.pool.schedule(after: .ms(2)) { second.withLock { $0 }?.cancel() }
    let timer = runtime.pool.schedule(after: .ms(2)) { log.append("second") }
    second.withLock { $0 = timer }
    runtime.runUntilIdle()
    #expect(log.entries == [])
    #expect(runtime.now == .ms(2))
  }

  @Test func `many cancelled timers are forgotten`() {
    let runtime = SimulatedRuntime()
    let token = Token()
    let isFreed = token.isFreed
    runtime.pool.schedule { [token] in
      for _ in 1...1_000 {
        runtime.pool.schedule(after: .seconds(1_000)) { withExtendedLifetime(token) {} }.cancel()
      }
    }
    runtime.pool.schedule(after: .seconds(1)) {}
    runtime.runUntilIdle()
    #expect(runtime.now == .ms(1_000))
    #expect(runtime.report.pendingTimers == 0)
    _ = consume token
    #expect(isFreed.withLock { $0 })
  }

  @Test func `the clock stops at its limit`() {
    let runtime = SimulatedRuntime()
    let log = Log()
    for time in [10, 20, 30] {
      runtime.pool.schedule(after: .ms(time)) { log.append("\(time)") }
    }
    #expect(runtime.run(until: .ms(20)) == .reached)
    #expect(log.entries == ["10", "20"])
    #expect(runtime.advance(by: .ms(5)) == .reached)
    #expect(runtime.now == .ms(25))
    #expect(runtime.report.pendingTimers == 1)
    #expect(runtime.advance(by: .ms(100)) == .idle)
    #expect(runtime.now == .ms(125))
    #expect(runtime.run(until: .ms(1)) == .idle)
    #expect(runtime.now == .ms(125))
    #expect(log.entries == ["10", "20", "30"])
  }

  @Test func `a run without end stops at its limit`() {
    let runtime = SimulatedRuntime()
    let count = Locked(0)
    @Sendable func again() {
      count.withLock { $0 += 1 }
      runtime.pool.schedule(again)
    }
    runtime.pool.schedule(again)
    #expect(runtime.runUntilIdle(limit: 1_000) == .limit)
    #expect(count.withLock { $0 } == 1_000)
    #expect(runtime.report.unstartedPoolJobs == 1)
  }

  @Test func `a run without end can be interrupted and then continues`() {
    let runtime = SimulatedRuntime()
    let count = Locked(0)
    @Sendable func again() {
      let count = count.withLock { count in
        count += 1
        return count
      }
      if count == 500 { runtime.interrupt() }
      if count < 1_000 { runtime.pool.schedule(after: .ms(1), again) }
    }
    runtime.pool.schedule(again)
    #expect(runtime.runUntilIdle() == .interrupted)
    #expect(count.withLock { $0 } == 500)
    #expect(runtime.runUntilIdle() == .idle)
    #expect(count.withLock { $0 } == 1_000)
    #expect(runtime.now == .ms(999))
  }

  @Test func `cancelling immediately ends a step that holds a worker or waits for one`() {
    let recording = Recording()
    let runtime = SimulatedRuntime(workers: 1, trace: recording)
    let log = Log()
    let cancellation = Cancellation()
    for name in ["held", "queued"] {
      runtime.occupy(
        .blocking, for: .seconds(60), cancellation: cancellation,
        begin: { log.append("\(name) begins") },
        then: { log.append("\(name) \(runtime.now.nanoseconds / 1_000_000)") })
    }
    runtime.main.schedule(after: .ms(3)) { cancellation.cancel() }
    runtime.runUntilIdle()
    #expect(log.entries == ["held begins", "held 3", "queued 3"])
    #expect(runtime.now == .ms(3))
    #expect(recording.events("blocked").count == 2)
    #expect(recording.events("unblocked").count == 2)
  }

  /// The cancellation comes at three milliseconds, or at the instant at which the time ends.
  @Test(arguments: [3, 10]) func `cancelling ends the occupation of a job's thread`(time: Int) {
    let runtime = SimulatedRuntime(workers: 1)
    let log = Log()
    let cancellation = Cancellation()
    for activity in [WorkerActivity.blocking, .working] {
      runtime.pool.schedule {
        runtime.occupy(activity, for: .ms(10), cancellation: cancellation)
        log.append("\(activity) \(runtime.now.nanoseconds / 1_000_000)")
      }
    }
    runtime.main.schedule(after: .milliseconds(time)) { cancellation.cancel() }
    runtime.runUntilIdle()
    #expect(log.entries == ["blocking \(time)", "working \(time)"])
    #expect(runtime.now == Instant.ms(Int64(time)))
  }
}

/// Records when it is released.
private final class Token: Sendable {
  let isFreed = Locked(false)
  deinit { isFreed.withLock { $0 = true } }
}
