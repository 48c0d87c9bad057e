import AsyncSimulation
import Dispatch
import SwiftTasks
import Synchronization
import Testing

/// Swift that knows nothing of the simulation, on its virtual clock.
@Suite struct PlainSwiftTests {
  actor Cache {
    private var stored: [String: Int] = [:]
    private(set) var fetches = 0

    func value(_ key: String) async throws -> Int {
      if let value = stored[key] { return value }
      fetches += 1
      try await Task.sleep(for: .seconds(3600))
      stored[key] = 7
      return 7
    }
  }

  @Test func `an actor that is entered again between check and store is found`() async {
    let report = await Exploration(schedules: 200).explore {
      let cache = Cache()
      async let first = cache.value("x")
      async let second = cache.value("x")
      _ = try await (first, second)
      try check(await cache.fetches == 1, "fetched more than once")
    }
    #expect(report.violations > 0)
    #expect(report.violation?.finding.detail.hasPrefix("fetched more than once") == true)
    #expect(report.violation?.isReproducible == true)
  }

  @Test func `what holds under every order is not blamed`() async {
    let report = await Exploration(schedules: 200).explore {
      let cache = Cache()
      _ = try await cache.value("x")
      _ = try await cache.value("x")
      try check(await cache.fetches == 1)
    }
    #expect(report.schedules > 0)
    #expect(report.violation == nil)
  }

  @Test func `a cancelled sleep does not move the clock`() async {
    let end = Mutex(Duration.zero)
    let report = await Exploration(schedules: 20).explore {
      let start = ContinuousClock.now
      let sleeper = Task { try await Task.sleep(for: .seconds(3600)) }
      try await Task.sleep(for: .milliseconds(1))
      sleeper.cancel()
      _ = await sleeper.result
      end.withLock { $0 = ContinuousClock.now - start }
    }
    #expect(report.violation == nil)
    #expect(end.withLock { $0 } == .milliseconds(1))
  }

  @Test func `a continuation that is never resumed is a stall`() async {
    let report = await Exploration(schedules: 3).explore {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    #expect(report.violation?.finding.property == "finishes")
  }

  /// Waits for a thread of Dispatch.
  actor Bridge {
    private var count = 0

    func wait() async -> Int {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume() }
      }
      count += 1
      return count
    }
  }

  /// The task continues inside of the simulation, whether on the pool or on an actor.
  @Test func `what a thread outside resumes is waited for, and named`() throws {
    let runtime = SimulatedRuntime(patience: .seconds(10))
    let task = runtime.task {
      let bridge = Bridge()
      let count = await bridge.wait()
      let start = ContinuousClock.now
      try await Task.sleep(for: .seconds(60))
      return (count, ContinuousClock.now - start)
    }
    runtime.runUntilIdle()
    let ended = Mutex<(Int, Duration)?>(nil)
    let gate = DispatchSemaphore(value: 0)
    Task {
      let result = try await task.value
      ended.withLock { $0 = result }
      gate.signal()
    }
    gate.wait()
    let result = try #require(ended.withLock { $0 })
    #expect(result.0 == 1)
    #expect(result.1 == .seconds(60))
    #expect(runtime.now == .zero.advanced(by: .seconds(60)))
    #expect(runtime.escapes.count == 1)
  }

  @Test func `this runtime of Swift is supported without limits`() {
    #expect(RuntimeSupport.current.obstacle == nil)
    #expect(RuntimeSupport.current.limits == [])
  }
}
