import AsyncPatterns
import Foundation
import Testing

@testable import AsyncSimulation

/// Explorations that try several schedules at the same time.
@Suite struct ParallelExplorationTests {
  @Test(arguments: [Exploration.Strategy.random, .pct(depth: 2), .depthFirst(deviations: 3)])
  func `the report is the same with any number of threads`(
    _ strategy: Exploration.Strategy
  ) throws {
    let reports = [1, 2, 5].map { threads in
      Exploration(schedules: 700, isExact: true, threads: threads, strategy: strategy, seed: 7)
        .explore(payments)
    }
    try expectEqual(reports)
    #expect(reports[0].violation != nil)
  }

  @Test(arguments: Injection.allCases)
  func `the report is the same if something is injected at random places`(
    _ injection: Injection
  ) throws {
    let step = Step.sleep("a", .milliseconds(1))
    let reports = [1, 4].map { threads in
      Exploration(schedules: 300, threads: threads, strategy: .random, injection: injection)
        .explore(step) { $0.failed() ?? $0.sound() }
    }
    try expectEqual(reports)
  }

  @Test func `bodies may start on several threads at the same time`() async {
    for _ in 1...40 {
      let report = await Exploration(schedules: 60, isExact: true, threads: 4).explore {
        async let first: Void = Task.yield()
        async let second: Void = Task.yield()
        _ = await (first, second)
      }
      #expect(report.schedules == 60)
      #expect(report.violations == 0, "\(report)")
    }
  }

  @Test func `more threads than schedules try no further schedule`() {
    let report = Exploration(schedules: 1, threads: 64).explore(payments)
    #expect(report.schedules == 1)
  }

  @Test func `a cancelled exploration ends on all threads`() async {
    let report = await withCheckedContinuation { continuation in
      let ongoing = Exploration(schedules: .max, isExact: true, threads: 3).start(
        Step.sleep("a", .milliseconds(1)), then: { continuation.resume(returning: $0) })
      ongoing.cancel()
    }
    #expect(report.ending == .interrupted)
  }

  @Test func `a job that blocks its thread does not disturb the other threads`() throws {
    let reports = [1, 3].map { threads in
      Exploration(schedules: 200, isExact: true, threads: threads).explore { runtime in
        let permit = runtime.semaphore(0)
        let order = Locked<[Int]>([])
        runtime.pool.schedule {
          permit.wait()
          order.withLock { $0.append(1) }
        }
        runtime.pool.schedule {
          order.withLock { $0.append(2) }
          permit.signal()
        }
        return { order.withLock { $0 == [2, 1] ? nil : "the order is \($0)" } }
      }
    }
    try expectEqual(reports)
    #expect(reports[0].violations == 0)
  }

  private func expectEqual(_ reports: [ExplorationReport]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let texts = try reports.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    for text in texts { #expect(text == texts[0]) }
  }
}

/// Three payments, each of which checks the balance before it takes money.
private let payments: @Sendable (SimulatedRuntime) -> @Sendable () -> String? = { runtime in
  let balance = Locked(15)
  for _ in 1...3 {
    runtime.pool.schedule {
      guard balance.withLock({ $0 >= 10 }) else { return }
      runtime.pool.schedule { balance.withLock { $0 -= 10 } }
    }
  }
  return { balance.withLock { $0 < 0 ? "the balance is \($0)" : nil } }
}
