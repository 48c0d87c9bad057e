import AsyncSimulation
import Testing

@Suite struct MainLaneTests {
  @Test func `actions run at the end of each turn, by order and then by registration`() {
    let runtime = SimulatedRuntime()
    let log = Log()
    for (name, order) in [("late", 10), ("a", 0), ("early", -10), ("b", 0)] {
      _ = runtime.atEndOfTurn(order: order) {
        log.append("\(name) on \(LaneContext.current.lane.number)")
      }
    }
    runtime.main.schedule { log.append("first") }
    runtime.main.schedule { log.append("second") }
    runtime.main.schedule(after: .ms(1)) { log.append("third") }
    runtime.runUntilIdle()
    let actions = ["early on 0", "a on 0", "b on 0", "late on 0"]
    #expect(log.entries == ["first", "second"] + actions + ["third"] + actions)
  }

  @Test func `an action that schedules on main makes another turn`() {
    let runtime = SimulatedRuntime()
    let log = Log()
    let left = Locked(2)
    _ = runtime.atEndOfTurn(order: 0) {
      log.append("end")
      let isMore = left.withLock { left in
        left -= 1
        return left >= 0
      }
      if isMore { runtime.main.schedule { log.append("job") } }
    }
    runtime.main.schedule { log.append("job") }
    #expect(runtime.runUntilIdle(limit: 100) == .idle)
    #expect(log.entries == ["job", "end", "job", "end", "job", "end"])
  }

  @Test func `waking an idle main makes one turn`() {
    let runtime = SimulatedRuntime()
    let log = Log()
    _ = runtime.atEndOfTurn(order: 0) { log.append("end") }
    runtime.runUntilIdle()
    #expect(log.entries == [])
    runtime.wakeMain()
    runtime.runUntilIdle()
    #expect(log.entries == ["end"])
    runtime.pool.schedule(after: .ms(1)) {
      runtime.wakeMain()
      runtime.wakeMain()
    }
    runtime.runUntilIdle()
    #expect(log.entries == ["end", "end"])
  }

  @Test func `a cancelled action does not run, even in the same turn`() {
    let runtime = SimulatedRuntime()
    let log = Log()
    let second = Locked<(any Cancellable)?>(nil)
    _ = runtime.atEndOfTurn(order: 0) {
      log.append("first")
      second.withLock { $0 }?.cancel()
    }
    let registration = runtime.atEndOfTurn(order: 1) { log.append("second") }
    second.withLock { $0 = registration }
    runtime.main.schedule {}
    runtime.runUntilIdle()
    #expect(log.entries == ["first"])
  }

  @Test func `main runs one job at a time, even while a job is blocked`() {
    let runtime = SimulatedRuntime()
    let log = Log()
    let semaphore = runtime.semaphore(0)
    _ = runtime.atEndOfTurn(order: 0) { log.append("end") }
    runtime.main.schedule {
      log.append("waits")
      semaphore.wait()
      log.append("continues")
    }
    runtime.main.schedule { log.append("next") }
    runtime.pool.schedule(after: .ms(1)) { semaphore.signal() }
    runtime.runUntilIdle()
    #expect(log.entries == ["waits", "continues", "next", "end"])
  }
}
