import AsyncSimulation
import Testing

/// Stalled simulations that are abandoned.
@Suite struct AbandonTests {
  @Test func `abandoned work frees its lanes and takes no further permit`() {
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
    // The permit is kept for the next task that waits.
    runtime.pool.schedule {
      semaphore.signal()
      semaphore.wait()
      log.append("next")
    }
    runtime.runUntilIdle()
    #expect(log.entries.last == "next")
    #expect(runtime.abandon() == 0)
  }

  @Test func `a running simulation abandons nothing`() async {
    await #expect(processExitsWith: .failure) {
      let runtime = SimulatedRuntime()
      runtime.pool.schedule { runtime.abandon() }
      runtime.runUntilIdle()
    }
  }
}
