import Testing

@testable import AsyncRender

/// What is wrong with the original's way, and is found; and that the same search finds nothing in ours.
@Suite struct OriginalRenderTests {
  static func step(_ pattern: String) throws -> Step {
    let type = try #require(AsyncRenderPlugin.patterns.first { $0.manual.name == pattern })
    let arguments = try type.manual.resolve([(name: "size", value: .size(20, 20))])
    let steps = ["a", "b", "c"].map { Step.value($0, .string($0)) }
    return Step(pattern, pattern: try type.init(arguments), steps: steps)
  }

  static let exploration = Exploration(schedules: 300, isRecording: true)

  /// How often a beginning and an end were told.
  @Sendable static func told(_ trial: Trial) -> (will: Int, did: Int) {
    let marks = trial.events.filter { $0.kind == .mark }.map(\.name)
    return (marks.count { $0 == "will-display" }, marks.count { $0 == "did-display" })
  }

  @Sendable static func balanced(_ trial: Trial) -> Finding? {
    if let finding = trial.sound() { return finding }
    let (will, did) = told(trial)
    return will == did ? nil : Finding("one did for each will", "\(will) and \(did)")
  }

  @Test func `a missing didDisplay is found`() throws {
    let report = Self.exploration.explore(try Self.step("render.yy"))
    #expect(report.violation?.finding.property == "finishes")
    #expect(report.violations > 0 && report.violations < report.schedules)
  }

  @Test(arguments: ["render", "render.sync"])
  func `in ours nothing is found`(pattern: String) throws {
    let report = Self.exploration.explore(
      try Self.step(pattern), checking: Self.balanced)
    #expect(report.violations == 0, "\(report.violation?.finding.description ?? "")")
  }
}
