import AsyncPatterns
import Testing

@testable import AsyncSimulation

/// Tests whether an exploration knows that it has tried all schedules, and otherwise how likely a new one is.
@Suite struct TriedSchedulesTests {
  @Test func `all schedules have been tried once each choice has had all its candidates`() {
    var tried = TriedSchedules()
    for drawn in [[0, 0], [1], [0, 1]] as [[UInt32]] {
      #expect(!tried.areAll)
      tried.insert(outcome(drawn, among: drawn.map { _ in 2 }))
    }
    #expect(tried.areAll && tried.distinct == 3)
  }

  @Test func `a schedule that occurs again completes nothing`() {
    var tried = TriedSchedules()
    for _ in 1...2 { tried.insert(outcome([0], among: [2])) }
    #expect(!tried.areAll && tried.distinct == 1 && tried.tries == 2)
  }

  @Test func `the chance of a new schedule is the share of those that occurred once`() {
    var tried = TriedSchedules()
    #expect(tried.chanceOfNew == 1)
    for choice in [0, 1, 1, 2] as [UInt32] { tried.insert(outcome([choice], among: [9])) }
    #expect(tried.chanceOfNew == 0.5)
  }

  @Test func `injections leave open how many schedules there are`() {
    let report = Exploration(schedules: 50, injection: .cancel).explore(.sleep("a", .zero))
    #expect(report.ending == .complete && report.schedules == 50)
  }

  @Test func `an exploration ends once it has tried all schedules`() {
    let report = Exploration(schedules: 1_000_000).explore(twoJobs)
    #expect(report.ending == .exhausted && report.distinct == 2 && report.schedules < 100)
  }

  @Test func `an exact exploration repeats schedules`() {
    let report = Exploration(schedules: 500, isExact: true).explore(twoJobs)
    #expect(report.ending == .complete && report.distinct == 2 && report.schedules == 500)
  }

  private func outcome(_ drawn: [UInt32], among counts: [UInt32]) -> TrialRun.Outcome {
    TrialRun.Outcome(
      choices: Choices(drawn: drawn, counts: counts), eventCount: 1, startCount: 0,
      blockedCount: 0, isInterrupted: false)
  }
}

/// Two jobs that can run in either order.
private let twoJobs: @Sendable (SimulatedRuntime) -> @Sendable () -> String? = { runtime in
  for _ in 1...2 { runtime.pool.schedule {} }
  return { nil }
}
