import AsyncSimulation
import Foundation
import PatternTesting
import SwiftTasks
import Synchronization
import Testing

/// Plain Swift code, which knows nothing of the simulation, on its virtual clock.
@Suite struct PlainSwiftTests {
  @Test func `actor reentrancy between check and store is found`() async {
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

  actor Stock {
    private var items = [1]
    var isEmpty: Bool { items.isEmpty }
    func take() -> Int? { items.popLast() }
  }

  @inline(never) private func pay() {}

  /// No task waits. If the simulation did not choose the next task at each hop, each task would run to its end before
  /// the next one starts.
  @Test func `a race that only a hop in between can show is found`() async {
    let report = await Exploration(schedules: 100).explore { [self] in
      let stock = Stock()
      try await withThrowingTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            guard await !stock.isEmpty else { return }
            // Without code outside the actor in between, the compiler would merge the two visits.
            pay()
            try check(await stock.take() != nil, "sold twice")
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(report.violation?.finding.detail.hasPrefix("sold twice") == true, "\(report)")
    #expect(report.violations < report.schedules)
    #expect(report.violation?.isReproducible == true)
  }

  /// Both are due at the same instant.
  @Test(arguments: [false, true])
  func `a cancellation can come before or after the end of a sleep`(inActor: Bool) async {
    actor Place {
      func sleep() async throws { try await Task.sleep(for: .milliseconds(2)) }
    }
    let ends = Locked<Set<String>>([])
    let report = await Exploration(strategy: .depthFirst(deviations: nil)).explore {
      let place = Place()
      let sleeper = Task {
        let end: String
        do {
          if inActor {
            try await place.sleep()
          } else {
            try await Task.sleep(for: .milliseconds(2))
          }
          end = Task.isCancelled ? "cancelled after it" : "not cancelled"
        } catch {
          end = "cancelled before it"
        }
        ends.withLock { _ = $0.insert(end) }
      }
      try await Task.sleep(for: .milliseconds(2))
      sleeper.cancel()
      await sleeper.value
    }
    #expect(report.violations == 0, "\(report)")
    #expect(
      ends.withLock { $0 } == ["cancelled after it", "cancelled before it", "not cancelled"])
  }

  @Test func `code that is correct in every order is not reported`() async {
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

  @Test func `a task that yields is reported as waiting for other tasks`() async {
    let report = await Exploration(schedules: 1).explore {
      await Task.yield()
      try check(false)
    }
    let happenings = report.violation?.moments.flatMap(\.happenings) ?? []
    #expect(happenings.contains("waits for other tasks"))
  }

  @Test func `a continuation that is never resumed is a stall`() async {
    let report = await Exploration(schedules: 3).explore {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    #expect(report.violation?.finding.property == "finishes")
  }

  /// Waits until another thread opens it.
  actor Bridge {
    private nonisolated let waiting = Locked<CheckedContinuation<Void, Never>?>(nil)
    private var count = 0

    func wait() async -> Int {
      await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
      count += 1
      return count
    }

    nonisolated func open() { waiting.withLock { $0.take() }?.resume() }
  }

  /// The task continues inside the simulation, on its actor.
  @Test func `a task that an outside thread resumes is awaited and named`() async throws {
    let runtime = SimulatedRuntime(patience: .seconds(10))
    let task = runtime.task {
      let bridge = Bridge()
      async let count = bridge.wait()
      // Time passes only when nothing else can happen, so by then the other task is suspended.
      try await Task.sleep(for: .seconds(1))
      Thread.detachNewThread { bridge.open() }
      let start = ContinuousClock.now
      _ = await count
      try await Task.sleep(for: .seconds(60))
      return (await count, ContinuousClock.now - start)
    }
    runtime.runUntilIdle()
    let (count, slept) = try await task.value
    #expect(count == 1)
    #expect(slept == .seconds(60))
    #expect(runtime.now == .zero.advanced(by: .seconds(61)))
    #expect(runtime.escapes.count == 1)
  }

  @Test func `this runtime of Swift is supported without limits`() {
    #expect(RuntimeSupport.current.obstacle == nil)
    #expect(RuntimeSupport.current.limits == [])
  }
}
