import AsyncSimulation
import Testing

/// Classic bugs in code without patterns and without the playground's language. Every strategy finds them and
/// simplifies their schedules.
@Suite struct ClassicBugTests {
  struct Scenario: CustomTestStringConvertible, Sendable {
    let name: String
    let start: @Sendable (SimulatedRuntime) -> @Sendable () -> String?
    /// The same scenario without the bug.
    let fixed: @Sendable (SimulatedRuntime) -> @Sendable () -> String?
    let property: String
    /// The number of choices in a failing schedule that are not first in, first out.
    let deviations: Int

    var testDescription: String { name }
  }

  static let scenarios = [
    Scenario(
      name: "check, then act", start: { starts(on: $0, decidesImmediately: false) },
      fixed: { starts(on: $0, decidesImmediately: true) }, property: "the scenario’s check",
      deviations: 1),
    Scenario(
      name: "opposite locks", start: { transfers(on: $0, inOneOrder: false) },
      fixed: { transfers(on: $0, inOneOrder: true) }, property: "finishes", deviations: 1),
  ]

  static let strategies: [Exploration.Strategy] = [
    .random, .pct(depth: 2), .depthFirst(deviations: nil), .depthFirst(deviations: 1),
  ]

  @Test(arguments: scenarios, strategies)
  func `a bug is found within fifty schedules, simplified and reported`(
    scenario: Scenario, strategy: Exploration.Strategy
  ) throws {
    let report = Exploration(schedules: 50, strategy: strategy).explore(scenario.start)
    let violation = try #require(report.violation, "\(report)")
    #expect(violation.finding.property == scenario.property, "\(report)")
    #expect(violation.isReproducible)
    let choices = violation.schedule.choices
    #expect(choices.count { $0 != 0 } == scenario.deviations, "\(report)")
    #expect(violation.moments.count { $0.isDeviation } == scenario.deviations)
    // It starts like a passing schedule and deviates from it at a choice that is not first in, first out.
    let shared = try #require(violation.sharedCount, "\(report)")
    #expect(shared > 0 && shared < violation.moments.count)
    #expect(violation.moments[shared].isDeviation, "\(report)")
    #expect(violation.nextWhenShared != nil)
  }

  @Test(arguments: scenarios)
  func `a fixed bug is in no schedule`(scenario: Scenario) {
    let report = Exploration(strategy: .depthFirst(deviations: nil)).explore(scenario.fixed)
    #expect(report.violation == nil, "\(report)")
    #expect(report.ending == .exhausted, "every schedule has been tried")
    #expect(report.distinct > 1)
  }

  /// The scenario passes only if two choices are not first in, first out.
  @Test func `a passing schedule is found where a single other choice does not pass`() throws {
    let report = Exploration(schedules: 200).explore { runtime in
      let order = Log()
      for name in ["a", "b", "c"] { runtime.pool.schedule { order.append(name) } }
      return { order.entries == ["c", "b", "a"] ? nil : "the order was \(order.entries)" }
    }
    let violation = try #require(report.violation)
    #expect(violation.schedule.choices == [])
    #expect(violation.sharedCount == 0)
    #expect(violation.moments.first?.alternatives.isEmpty == false)
    #expect(violation.nextWhenShared != nil)
  }

  // MARK: The bugs

  /// A producer adds two handlers. Each starts the manager if none is running.
  private static func starts(
    on runtime: SimulatedRuntime, decidesImmediately: Bool
  ) -> @Sendable () -> String? {
    let isWorking = Locked(false)
    let startCount = Locked(0)
    @Sendable func add() {
      let isBusy = isWorking.withLock { isWorking in
        defer { if decidesImmediately { isWorking = true } }
        return isWorking
      }
      if isBusy { return }
      runtime.pool.schedule {
        isWorking.withLock { $0 = true }
        startCount.withLock { $0 += 1 }
      }
    }
    runtime.pool.schedule {
      add()
      runtime.pool.schedule { add() }
    }
    return {
      let count = startCount.withLock { $0 }
      return count == 1 ? nil : "the manager was started \(count) times"
    }
  }

  /// A transfer, and another one in the opposite direction that arrives when the first has locked one account. It may
  /// run before the first transfer has locked the other account.
  private static func transfers(
    on runtime: SimulatedRuntime, inOneOrder: Bool
  ) -> @Sendable () -> String? {
    let (mine, yours) = (runtime.semaphore(1), runtime.semaphore(1))
    let back = inOneOrder ? (mine, yours) : (yours, mine)
    @Sendable func transfer(
      _ accounts: (any BlockingSemaphore, any BlockingSemaphore),
      then next: @escaping @Sendable () -> Void
    ) {
      accounts.0.wait()
      // The rest of the transfer is another job, so other jobs may run in between.
      runtime.pool.schedule {
        accounts.1.wait()
        accounts.1.signal()
        accounts.0.signal()
      }
      runtime.pool.schedule(next)
    }
    runtime.pool.schedule { transfer((mine, yours)) { transfer(back) {} } }
    return { nil }
  }
}
