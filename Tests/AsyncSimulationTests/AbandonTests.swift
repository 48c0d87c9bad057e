import AsyncSimulation
import Testing

/// Simulations at a standstill that are given up.
@Suite struct AbandonTests {
  @Test func `what is given up frees its lanes, and takes no permit any more`() {
    let runtime = SimulatedRuntime(workers: 1)
    let log = Log()
    let semaphore = runtime.semaphore(0)
    let queue = runtime.serial("queue")
    queue.schedule {
      semaphore.wait()
      log.append("never")
    }
    queue.schedule { log.append("queue") }
    runtime.pool.schedule { log.append("pool") }
    runtime.main.schedule { semaphore.wait() }
    runtime.main.schedule { log.append("main") }
    runtime.runUntilIdle()
    #expect(log.entries == [])
    #expect(runtime.abandon() == 2)
    #expect(runtime.waiters == [])
    runtime.runUntilIdle()
    #expect(log.entries == ["pool", "main", "queue"])
    // The permit is kept for who comes next.
    runtime.pool.schedule {
      semaphore.signal()
      semaphore.wait()
      log.append("next")
    }
    runtime.runUntilIdle()
    #expect(log.entries.last == "next")
    #expect(runtime.abandon() == 0)
  }

  @Test func `a running simulation gives up nobody`() async {
    await #expect(processExitsWith: .failure) {
      let runtime = SimulatedRuntime()
      runtime.pool.schedule { runtime.abandon() }
      runtime.runUntilIdle()
    }
  }
}
