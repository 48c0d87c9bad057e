import AsyncSimulation
import Testing

@Suite struct FinishTests {
  /// The leftovers as text.
  func leftovers(of runtime: SimulatedRuntime, _ events: [TraceEvent] = []) -> String? {
    do throws(Leftovers) {
      try runtime.finish(events: events)
      return nil
    } catch { return "\(error)" }
  }

  @Test func `work that has finished leaves nothing`() throws {
    let runtime = SimulatedRuntime()
    let semaphore = runtime.semaphore(0)
    runtime.pool.schedule(after: .ms(3)) { semaphore.signal() }
    runtime.pool.schedule { semaphore.wait() }
    runtime.pool.schedule(after: .seconds(1)) {}.cancel()
    runtime.task { try await runtime.clock.sleep(for: .ms(5)) }
    runtime.runUntilIdle()
    try runtime.finish()
    #expect(runtime.now == .ms(5))
  }

  @Test func `queued jobs still run, and no time passes`() throws {
    let runtime = SimulatedRuntime()
    let log = Log()
    runtime.pool.schedule { runtime.main.schedule { log.append("ran") } }
    try runtime.finish()
    #expect(log.entries == ["ran"])
    #expect(runtime.now == .zero)
  }

  @Test func `timers are leftovers`() {
    let runtime = SimulatedRuntime()
    runtime.serial("uploads").schedule(after: .ms(40)) {}
    runtime.pool.schedule(after: .ms(50)) {}
    runtime.pool.schedule(after: .ms(60)) {}.cancel()
    runtime.advance(by: .ms(30))
    #expect(
      leftovers(of: runtime) == """
        At 30ms the simulation should have finished, but:
        - 2 timers are pending, the next one on “uploads” at 40ms
        """)
    #expect(runtime.now == .ms(30))
    // The timers still exist if the simulation continues.
    runtime.runUntilIdle()
    #expect(leftovers(of: runtime) == nil)
    #expect(runtime.now == .ms(50))
  }

  @Test func `steps that sleep, work and wait are named`() throws {
    let recording = EventRecording()
    let runtime = SimulatedRuntime(workers: 2, trace: recording)
    let step = Step(
      "all", pattern: AtOnce(), steps: [.sleep("a", .ms(10)), .work("b", .ms(5)), .never("c")])
    Run(step, on: runtime) { _ in }
    runtime.advance(by: .ms(2))
    let left = try #require(throws: Leftovers.self) {
      try runtime.finish(events: recording.events)
    }
    #expect(left.time == .ms(2))
    #expect(left.timers.map(\.deadline) == [.ms(5), .ms(10)])
    #expect(left.timers.map(\.place) == ["pool", "pool"])
    #expect("\(left)".contains("2 timers are pending, the next one on pool for “b” at 5ms"))
  }

  @Test func `waiting tasks and tasks that could not start are leftovers and are abandoned`() {
    let runtime = SimulatedRuntime(workers: 1)
    let semaphore = runtime.semaphore(0)
    let log = Log()
    runtime.pool.schedule {
      semaphore.wait()
      log.append("woken")
    }
    runtime.pool.schedule { log.append("late") }
    runtime.runUntilIdle()
    #expect(
      leftovers(of: runtime) == """
        At 0ns the simulation should have finished, but:
        - worker 1 has waited for semaphore 1 since 0ns
        - 1 job waits for a worker
        - The only worker is held by a job, which has waited for semaphore 1 since 0ns; another job, \
        which may be the one to signal it, needs a worker.
        """)
    #expect(log.entries == [])
    #expect(leftovers(of: runtime) == nil)
    #expect(log.entries == ["late"])
  }

  @Test func `asynchronous code that has not returned is a leftover`() {
    let runtime = SimulatedRuntime(patience: .milliseconds(1))
    let leaked = Locked<CheckedContinuation<Void, Never>?>(nil)
    runtime.task {
      await withCheckedContinuation { continuation in leaked.withLock { $0 = continuation } }
    }
    runtime.runUntilIdle()
    #expect(
      leftovers(of: runtime) == """
        At 0ns the simulation should have finished, but:
        - asynchronous code has not returned
        """)
    leaked.withLock { $0 }?.resume()
    #expect(leftovers(of: runtime) == nil)
  }

  @Test func `the run loop ends its last turn and exits, and pending actions are leftovers`() {
    let runtime = SimulatedRuntime()
    let log = Log()
    let action = runtime.atEndOfTurn(order: 0) { log.append("end") }
    runtime.runUntilIdle()
    #expect(log.entries == [])
    #expect(
      leftovers(of: runtime) == """
        At 0ns the simulation should have finished, but:
        - 1 action at the end of turns of main not cancelled
        """)
    #expect(log.entries == ["end"])
    action.cancel()
    #expect(leftovers(of: runtime) == nil)
    #expect(log.entries == ["end"])
  }

  @Test func `an action may cancel itself while the run loop exits`() throws {
    let runtime = SimulatedRuntime()
    let log = Log()
    let action = Locked<(any Cancellable)?>(nil)
    let registered = runtime.atEndOfTurn(order: 0) {
      log.append("committed")
      action.withLock { $0 }?.cancel()
    }
    action.withLock { $0 = registered }
    try runtime.finish()
    #expect(log.entries == ["committed"])
  }

  @Test func `a running simulation cannot be finished`() async {
    await #expect(processExitsWith: .failure) {
      let runtime = SimulatedRuntime()
      runtime.pool.schedule { try? runtime.finish() }
      runtime.runUntilIdle()
    }
  }
}
