import Promises
import Simulation
import Testing

@Suite struct PromiseWaitTests {
  @Test func `a worker waits until another one has settled it`() throws {
    let runtime = SimulatedRuntime(workers: 2)
    let log = Log()
    let (promise, resolver) = Promise<Int, any Error>.withResolvers(runtime: runtime)
    runtime.pool.schedule {
      log.append("waits")
      log.append("\((try? promise.wait()) ?? -1)")
    }
    runtime.pool.schedule(after: .ms(5)) {
      log.append("settles")
      resolver.fulfill(7)
    }
    runtime.runUntilIdle()
    #expect(log.entries == ["waits", "settles", "7"])
  }

  @Test func `what is settled needs no wait, and its error is thrown`() {
    let failed = Promise<Int, StepFailure>.rejected(StepFailure("no such page"))
    #expect(throws: StepFailure("no such page")) { try failed.wait() }
    #expect(throws: Never.self) { try Promise<Int, Never>.fulfilled(1).wait() }
  }

  @Test(arguments: ["main", "serial", "inline"])
  func `it refuses to block the scheduler that its handlers need`(_ place: String) {
    let runtime = SimulatedRuntime(workers: 2)
    let placement: Placement =
      switch place {
      case "main": .main
      case "serial": .scheduler(runtime.serial("queue"))
      default: .inline
      }
    let (promise, resolver) = Promise<Int, any Error>.withResolvers(
      on: placement, runtime: runtime)
    let refusals = Locked<[String]>([])
    Promise<Int, Never>.fulfilled(1, on: placement, runtime: runtime).whenComplete { _ in
      guard place != "inline" else { return resolver.fulfill(1) }
      do {
        _ = try promise.wait()
      } catch {
        refusals.withLock { $0.append("\(error)") }
      }
    }
    runtime.runUntilIdle()
    let told = refusals.withLock { $0 }
    #expect(told.count == (place == "inline" ? 0 : 1))
    #expect(told.allSatisfy { $0.contains("would be blocked") && $0.contains("PromiseWaitTests") })
    resolver.tryResolve(.success(1))
  }

  @Test func `it refuses to wait for what will never be settled`() {
    #expect(throws: WaitRefused.self) { try Promise<Int, Never>.never().wait() }
  }

  @Test func `a test turns the clock until the promise is settled`() throws {
    let runtime = SimulatedRuntime()
    let promise = Promise<Int, any Error>(runtime: runtime) { resolver in
      runtime.pool.schedule(after: .ms(20)) { resolver.fulfill(3) }
    }
    #expect(try promise.map { $0 + 1 }.hang { runtime.runUntilIdle() } == 4)
    let pending = Promise<Int, any Error>.never(runtime: runtime)
    #expect(throws: WaitRefused.self) { try pending.hang(turns: 3) { runtime.runUntilIdle() } }
  }
}
