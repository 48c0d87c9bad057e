import AsyncSimulation
import PatternTesting
import PlainSwiftScenarios
import Testing

/// Programs of plain Swift, each of which uses different parts of Swift's concurrency.
///
/// Serialized, since one of them has a global actor, which simulations in one process would share.
@Suite(.serialized) struct ScenarioTests {
  @Test(arguments: Scenario.all)
  func `a program behaves under every schedule and reaches each of its outcomes`(
    _ scenario: Scenario
  ) async {
    let reached = Locked<Set<String>>([])
    let report = await Exploration(schedules: 200).explore {
      let outcome = try await scenario.run()
      reached.withLock { _ = $0.insert(outcome) }
    }
    #expect(report.violation == nil, "\(report)")
    #expect(report.schedules > 0)
    if let outcomes = scenario.outcomes { #expect(reached.withLock { $0 } == outcomes) }
  }

  @Test(arguments: Scenario.all)
  func `one seed gives one trace`(_ scenario: Scenario) {
    for seed: UInt64 in [1, 2] {
      let first = scenario.fingerprint(seed: seed)
      for _ in 1..<10 * SearchLength.factor { #expect(scenario.fingerprint(seed: seed) == first) }
    }
  }
}
