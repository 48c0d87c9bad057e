import AsyncSimulation
import Testing

/// Run loops in addition to the main one.
@Suite struct RunLoopTests {
  @Test func `each run loop is its own lane, numbered after the workers`() {
    let runtime = SimulatedRuntime(workers: 2)
    let log = Log()
    let loops = ["one", "two"].map { runtime.runLoop($0) }
    for loop in loops {
      loop.schedule {
        runtime.work(for: .ms(10))
        log.append("\(LaneContext.current.lane.number)@\(runtime.now.nanoseconds / 1_000_000)")
      }
    }
    // Run loops hold no worker.
    for _ in 1...2 { runtime.pool.schedule { runtime.work(for: .ms(10)) } }
    runtime.runUntilIdle()
    #expect(log.entries == ["3@10", "4@10"])
    #expect(runtime.now == .zero.advanced(by: .ms(10)))
  }

  @Test func `its jobs run one after another, and each turn ends after its jobs`() throws {
    let runtime = SimulatedRuntime()
    let log = Log()
    let loop = runtime.runLoop("loop")
    let actions = [
      loop.atEndOfTurn(order: 2) { log.append("b") },
      loop.atEndOfTurn(order: 1) { log.append("a") },
    ]
    loop.schedule {
      log.append("waits")
      runtime.block(for: .ms(1))
      log.append("continues")
    }
    loop.schedule { log.append("second") }
    loop.schedule(after: .ms(5)) { log.append("later") }
    loop.schedule(after: .ms(5)) { log.append("never") }.cancel()
    runtime.runUntilIdle()
    #expect(
      log.entries == ["waits", "continues", "second", "a", "b", "later", "a", "b"])
    #expect(throws: Leftovers.self) { try runtime.finish() }
    for action in actions { action.cancel() }
    try runtime.finish()
  }

  @Test func `waking a waiting loop makes one turn, even from its own end of turn`() {
    let runtime = SimulatedRuntime()
    let log = Log()
    let loop = runtime.runLoop("loop")
    let isFirst = Locked(true)
    let action = loop.atEndOfTurn(order: 0) {
      log.append("turn")
      if isFirst.withLock({ first in
        defer { first = false }
        return first
      }) {
        loop.wake()
        loop.wake()
      }
    }
    runtime.runUntilIdle()
    #expect(log.entries == [])
    loop.wake()
    loop.wake()
    runtime.runUntilIdle()
    #expect(log.entries == ["turn", "turn"])
    action.cancel()
    loop.wake()
    runtime.runUntilIdle()
    #expect(log.entries.count == 2)
  }

  @Test func `the schedule decides which loop goes first`() {
    let seen = Locked<Set<[String]>>([])
    let report = Exploration(schedules: 100).explore { runtime in
      let log = Log()
      let loops = ["x", "y"].map { runtime.runLoop($0) }
      for (name, loop) in zip(["x", "y"], loops) { loop.schedule { log.append(name) } }
      runtime.main.schedule { log.append("main") }
      return {
        _ = seen.withLock { $0.insert(log.entries) }
        return nil
      }
    }
    #expect(report.violations == 0)
    #expect(seen.withLock { $0.count } == 6)
  }

  @Test func `a loop that waits for itself is reported as a deadlock`() {
    let runtime = SimulatedRuntime()
    let loop = runtime.runLoop("pages")
    let semaphore = runtime.semaphore(0)
    loop.schedule {
      loop.schedule { semaphore.signal() }
      semaphore.wait()
    }
    runtime.runUntilIdle()
    #expect(runtime.report.unstartedJobs.map(\.queue) == ["pages"])
    let sentences = StallReport(runtime.report).sentences.joined(separator: " ")
    #expect(sentences.contains("the run loop “pages”"), "\(sentences)")
    runtime.abandon()
  }
}
