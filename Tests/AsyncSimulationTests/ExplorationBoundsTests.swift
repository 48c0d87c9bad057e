import AsyncSimulation
import Foundation
import Testing

/// Explored code may do these things, and must not harm the exploration.
@Suite struct ExplorationBoundsTests {
  @Test func `code that interrupts its own simulation is tried as often as other code`() {
    let report = Exploration(schedules: 5).explore { runtime in
      runtime.pool.schedule { runtime.interrupt() }
      runtime.pool.schedule {}
      return { nil }
    }
    #expect(report.schedules == 5)
    #expect(report.ending == .complete)
  }

  @Test(arguments: Injection.allCases)
  func `injections into steps leave other code unchanged`(injection: Injection) {
    let report = Exploration(schedules: 50, injection: injection).explore { runtime in
      for _ in 1...6 { runtime.pool.schedule {} }
      return { nil }
    }
    #expect(report.violations == 0)
  }

  @Test(arguments: [Exploration.Strategy.random, .pct(depth: 3)])
  func `an exploration without choices ends as soon as that is known`(
    strategy: Exploration.Strategy
  ) {
    let report = Exploration(schedules: 1_000, strategy: strategy).explore { runtime in
      runtime.main.schedule { runtime.main.schedule {} }
      return { nil }
    }
    #expect(report.schedules == 10 && report.distinct == 1)
    #expect(report.ending == .exhausted)
  }

  @Test func `an injection makes a different schedule`() {
    let report = Exploration(schedules: 50, injection: .cancel).explore(.sleep("a", .ms(1)))
    #expect(report.schedules == 50 && report.ending == .complete)
  }

  @Test func `a choice may have any number of possibilities`() {
    let report = Exploration(schedules: 5).explore { runtime in
      runtime.pool.schedule { _ = runtime.choose(1 << 40) }
      return { nil }
    }
    #expect(report.violations == 0)
  }

  @Test func `a trial releases everything that it leaves behind`() {
    let alive = Locked(0)
    let report = Exploration(schedules: 10).explore { runtime in
      let guest = Guest(alive)
      _ = runtime.atEndOfTurn(order: 0) { guest.touch() }
      runtime.main.schedule {}
      return { nil }
    }
    #expect(report.schedules == 10)
    #expect(alive.withLock { $0 } == 0)
  }

  @Test func `code that runs forever and holds a worker gives its thread back`() {
    let exploration = Exploration(schedules: 20, isExact: true, eventLimit: 100)
    let report = exploration.explore { runtime in
      runtime.pool.schedule { while true { runtime.work(for: .milliseconds(1)) } }
      return { nil }
    }
    #expect(report.violations == 20)
    #expect(report.violation?.finding.property == "comes to an end")
  }

  /// The sleeps of a cancelled task end immediately, so such a loop never returns to the simulation.
  @Test func `a loop that would ignore its cancellation is not cancelled`() async {
    let exploration = Exploration(schedules: 3, isExact: true, eventLimit: 100)
    let report = await exploration.explore {
      while true { try? await Task.sleep(for: .seconds(1)) }
    }
    #expect(report.violations == 3)
    #expect(report.violation?.finding.property == "comes to an end")
  }

  @Test func `a completion from another thread is awaited and named`() {
    let step = Step("hop") { _, _, completion in
      Thread.detachNewThread { completion(.success(.none)) }
    }
    let report = Exploration(schedules: 20, patience: .seconds(30)).explore(step)
    #expect(report.violations == 20)
    #expect(report.violation?.finding.property == "no clock-escape")
  }

  /// Counts its living instances.
  private final class Guest: Sendable {
    private let alive: Locked<Int>

    init(_ alive: Locked<Int>) {
      self.alive = alive
      alive.withLock { $0 += 1 }
    }

    deinit { alive.withLock { $0 -= 1 } }

    func touch() {}
  }
}
