import AsyncSimulation
import Testing

@Suite struct MisuseTests {
  @Test func `a job must not run the simulation that runs it`() async {
    await #expect(processExitsWith: .failure) {
      let runtime = SimulatedRuntime()
      runtime.pool.schedule { runtime.runUntilIdle() }
      runtime.runUntilIdle()
    }
  }

  @Test func `two threads must not run one simulation`() async {
    await #expect(processExitsWith: .failure) {
      let runtime = SimulatedRuntime()
      @Sendable func again() { runtime.pool.schedule(again) }
      runtime.pool.schedule(again)
      runtime.start { _ in }
      runtime.runUntilIdle()
    }
  }

  @Test func `a job and the end of a run may run another simulation`() {
    let (outer, inner) = (SimulatedRuntime(), SimulatedRuntime())
    let log = Log()
    inner.pool.schedule(after: .ms(7)) { log.append("inner") }
    outer.pool.schedule {
      inner.runUntilIdle()
      log.append("outer")
    }
    outer.runUntilIdle()
    #expect(log.entries == ["inner", "outer"])
    #expect(inner.now == .ms(7))
    #expect(outer.now == .zero)

  }

  @Test func `the next run may start where a run ends`() async {
    let runtime = SimulatedRuntime()
    let log = Log()
    runtime.pool.schedule(after: .ms(1)) { log.append("first") }
    await withCheckedContinuation { continuation in
      runtime.start { _ in
        runtime.pool.schedule(after: .ms(1)) { log.append("second") }
        runtime.runUntilIdle()
        continuation.resume()
      }
    }
    #expect(log.entries == ["first", "second"])
    #expect(runtime.now == .ms(2))
  }

  @Test(arguments: [-1, 0, 1])
  func `there is at least one worker`(workers: Int) {
    #expect(SimulatedRuntime(workers: workers).width == 1)
  }
}
