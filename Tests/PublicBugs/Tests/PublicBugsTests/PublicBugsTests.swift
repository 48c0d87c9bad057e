import AsyncSimulation
import PublicBugs
import Testing

/// Exploring finds each bug of public code, and finds nothing in the fixed code.
@Suite struct PublicBugsTests {
  private static let exploration = Exploration(schedules: 500)

  @Test(arguments: PublicBug.all)
  func `the bug is found, and its schedule shows it again`(bug: PublicBug) async throws {
    let report = await Self.exploration.explore { try await bug.run(.before) }
    let violation = try #require(report.violation, "\(report)")
    #expect(violation.isReproducible)
    let replay = await Exploration().replay(violation.schedule) { try await bug.run(.before) }
    #expect(replay.finding?.property == violation.finding.property)
    // Some schedules do not show the bug: the order of events matters.
    #expect(report.violations < report.schedules)
  }

  @Test(arguments: PublicBug.all)
  func `the fixed code passes the same schedules`(bug: PublicBug) async {
    let report = await Self.exploration.explore { try await bug.run(.after) }
    #expect(report.violation == nil, "\(report)")
    #expect(report.schedules > 0)
  }
}
