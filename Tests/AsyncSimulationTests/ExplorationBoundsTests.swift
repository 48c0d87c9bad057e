import AsyncSimulation
import Foundation
import Testing

/// What explored code may do, and must not harm the exploration with.
@Suite struct ExplorationBoundsTests {
  @Test func `code that interrupts its own simulation is tried as often as any other`() {
    let report = Exploration(schedules: 5).explore { runtime in
      runtime.pool.schedule { runtime.interrupt() }
      runtime.pool.schedule {}
      return { nil }
    }
    #expect(report.schedules == 5)
    #expect(report.ending == .complete)
  }

  @Test(arguments: Injection.allCases)
  func `code of any kind is left alone by what is put into steps`(injection: Injection) {
    let report = Exploration(schedules: 50, injection: injection).explore { runtime in
      for _ in 1...6 { runtime.pool.schedule {} }
      return { nil }
    }
    #expect(report.violations == 0)
  }

  @Test(arguments: [Exploration.Strategy.random, .pct(depth: 3)])
  func `where nothing is a choice, it ends as soon as that is plain`(
    strategy: Exploration.Strategy
  ) {
    let report = Exploration(schedules: 1_000, strategy: strategy).explore { runtime in
      runtime.main.schedule { runtime.main.schedule {} }
      return { nil }
    }
    #expect(report.schedules == 10 && report.distinct == 1)
    #expect(report.ending == .exhausted)
  }

  @Test func `what is put in makes a schedule another one`() {
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

  @Test func `what a trial leaves behind is let go of`() {
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

  @Test func `what goes on for ever and holds a worker gives its thread back`() {
    let exploration = Exploration(schedules: 20, eventLimit: 100)
    let report = exploration.explore { runtime in
      runtime.pool.schedule { while true { runtime.work(for: .milliseconds(1)) } }
      return { nil }
    }
    #expect(report.violations == 20)
    #expect(report.violation?.finding.property == "comes to an end")
  }

  @Test func `a completion from another thread is waited for, and named`() {
    let step = Step("hop") { _, _, completion in
      Thread.detachNewThread { completion(.success(.none)) }
    }
    let report = Exploration(schedules: 20, patience: .seconds(30)).explore(step)
    #expect(report.violations == 20)
    #expect(report.violation?.finding.property == "no clock-escape")
  }

  /// Counts how many of its kind there are.
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
