import Testing
import TimingTrace

@testable import AsyncRender
@testable import AsyncRenderPatterns

/// The search finds the faults of the original YYAsyncLayer, and finds none in our layer.
@Suite struct OriginalRenderTests {
  static func step(
    _ pattern: String, _ arguments: Arguments = [:],
    _ steps: [Step] = ["a", "b", "c"].map { .value($0, .string($0)) }
  ) throws -> Step {
    let type = try #require(AsyncRenderPlugin.patterns.first { $0.manual.name == pattern })
    var arguments = arguments
    arguments["size"] = arguments["size"] ?? .size(20, 20)
    let written = arguments.names.map { (name: String?.some($0), value: arguments[$0] ?? .none) }
    return Step(pattern, pattern: try type.init(type.manual.resolve(written)), steps: steps)
  }

  static let exploration = Exploration(schedules: 300, isRecording: true)

  /// How often a start and an end were reported.
  @Sendable static func counts(_ trial: Trial) -> (will: Int, did: Int) {
    let marks = trial.events.filter { $0.kind == .mark }.map(\.name)
    return (marks.count { $0 == "will-display" }, marks.count { $0 == "did-display" })
  }

  @Sendable static func balanced(_ trial: Trial) -> Finding? {
    if let finding = trial.sound() { return finding }
    let (will, did) = counts(trial)
    return will == did ? nil : Finding("one didDisplay for each willDisplay", "\(will) and \(did)")
  }

  @Test func `a missing didDisplay is found`() throws {
    let report = Self.exploration.explore(try Self.step("render.yy"))
    #expect(report.violation?.finding.property == "finishes")
    #expect(report.violations > 0 && report.violations < report.schedules)
  }

  @Test(arguments: ["render", "render.sync"])
  func `nothing is found in ours`(pattern: String) throws {
    let report = Self.exploration.explore(
      try Self.step(pattern), checking: Self.balanced)
    #expect(report.violations == 0, "\(report.violation?.finding.description ?? "")")
  }

  // MARK: Nothing to draw on

  @Test(arguments: [Value.size(0, 0), .size(30, 0), .size(0, 30)])
  func `synchronously without a size the original has nothing to draw on, and ours draws nothing`(
    size: Value
  ) throws {
    let arguments: Arguments = ["size": size, "text": .string("x")]
    var original = arguments
    original["display"] = .string("sync")
    let outcome = try render("render.yy", with: original)
    let error = "\(try #require(outcome.error))"
    #expect(error.contains("“draw-1” got no canvas") && error.contains("as render.sync does"))
    for pattern in ["render", "render.sync", "render.yy"] {
      let outcome = try render(pattern, with: arguments)
      #expect(outcome.value == Value.none && outcome.ends == ["draw-1, finished"], "\(pattern)")
      #expect(outcome.drawings(.started).isEmpty)
    }
  }

  @Sendable static func succeeds(_ trial: Trial) -> Finding? {
    if let finding = trial.sound() { return finding }
    guard case .failure(let error)? = trial.result else { return nil }
    return Finding("outcome == success", "\(error)")
  }

  @Test func `the missing context is found in the original and not in ours`() throws {
    let nothing: Arguments = ["size": .size(0, 0), "text": .string("x")]
    var original = nothing
    original["display"] = .string("sync")
    let report = Self.exploration.explore(
      try Self.step("render.yy", original, []), checking: Self.succeeds)
    #expect(report.violation?.finding.property == "outcome == success")
    for pattern in ["render", "render.sync"] {
      let report = Self.exploration.explore(
        try Self.step(pattern, nothing, []), checking: Self.succeeds)
      #expect(report.violations == 0, "\(report.violation?.finding.description ?? "")")
    }
  }

  // MARK: Drawings for released layers

  @Sendable static func drawsForAReader(_ trial: Trial) -> Finding? {
    if let finding = trial.sound() { return finding }
    let record = RunRecord(
      events: trial.events, clock: .virtual, result: trial.result ?? .success(.none))
    return record.lints.first.map { Finding("lints == none", $0.rule) }
  }

  @Test func `a drawing for a released layer is found in the original and not in ours`() throws {
    let arguments: Arguments = [
      "lifetime": .duration(.ms(5)), "line-cost": .duration(.ms(8)), "text": .string("x"),
    ]
    let report = Self.exploration.explore(
      try Self.step("render.yy", arguments, []), checking: Self.drawsForAReader)
    #expect(report.violation?.finding.detail.contains("wasted-drawing") == true)
    let ours = Self.exploration.explore(
      try Self.step("render", arguments, []), checking: Self.drawsForAReader)
    #expect(ours.violations == 0, "\(ours.violation?.finding.description ?? "")")
  }

  @Test func `a released original draws to the end, and ours stops within a line`() throws {
    let arguments: Arguments = [
      "lifetime": .duration(.ms(15)), "text": .string("1\n2\n3\n4"),
    ]
    let original = try render("render.yy", with: arguments)
    #expect(original.drawings(.finished) == ["draw-1@40"])
    #expect(original.value == Value.none)
    let ours = try render("render", with: arguments)
    #expect(ours.drawings(.finished) == ["draw-1@20"])
    #expect(ours.ends == ["draw-1, cancelled"] && ours.value == Value.none)
  }

  @Test(arguments: RenderPatternTests.all, ["main", "pool"])
  func `everything ends whenever the layer is released`(pattern: String, lane: String) throws {
    for milliseconds in 0...45 {
      let outcome = try render(
        pattern, [.text("a", "1\n2", after: .ms(10)), .text("b", "3", after: .ms(15))],
        with: [
          "lifetime": .duration(.ms(milliseconds)), "from": .string(lane), "text": .string("0"),
        ])
      #expect(outcome.results.count == 1 && outcome.error == nil, "\(milliseconds) ms")
    }
  }

  // MARK: Outdated contents

  /// The change comes when the drawing is about to be shown.
  static let changesFromElsewhere: [Step] = [
    .value("draft", .string("one")), .sleep("pause", .ms(5)), .value("final", .string("two")),
  ]
  static let changing: Arguments = [
    "from": .string("pool"), "line-cost": .duration(.ms(5)), "size": .size(200, 20),
  ]

  @Sendable static func upToDate(_ trial: Trial) -> Finding? {
    trial.misuse.first.map { Finding($0.rule, $0.detail) }
  }

  @Test func `in the original a drawing that a change cancelled is shown, which is found`() throws {
    let report = Self.exploration.explore(
      try Self.step("render.yy", Self.changing, Self.changesFromElsewhere),
      checking: Self.upToDate)
    #expect(report.violation?.finding.property == "stale-contents")
    #expect(report.violations > 0 && report.violations < report.schedules)
  }

  @Test(arguments: ["render", "render.sync"])
  func `in ours a cancelled drawing is never shown`(pattern: String) throws {
    let report = Self.exploration.explore(
      try Self.step(pattern, Self.changing, Self.changesFromElsewhere), checking: Self.balanced)
    #expect(report.violations == 0, "\(report.violation?.finding.description ?? "")")
  }

  @Test(arguments: RenderPatternTests.all)
  func `the last change is shown, even if it comes from the pool`(pattern: String) throws {
    let outcome = try render(
      pattern, [.text("a", "one", after: .ms(20)), .text("b", "two", after: .ms(3))],
      with: ["from": .string("pool"), "text": .string("zero")])
    #expect(try outcome.picture == drawn("two"))
  }
}
