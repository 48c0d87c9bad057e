import RunLoopTransaction
import RunLoopTransactionPatterns
import Testing

/// Checks that a search finds the faults of the original, and that the same search finds none in this module.
@Suite struct OriginalFaultTests {
  static let steps = ["a", "b", "c"].map { Step.value($0, .string($0)) }

  static func step(_ pattern: String, _ arguments: Arguments) throws -> Step {
    let type = try #require(
      RunLoopTransactionPlugin.patterns.first { $0.manual.name == pattern })
    let written = arguments.names.map { (name: String?.some($0), value: arguments[$0] ?? .none) }
    return Step(
      pattern, pattern: try type.init(type.manual.resolve(written)), steps: steps)
  }

  @Test func `a commit from another lane than main waits forever`() throws {
    let outcome = try simulate("transaction.yy", Self.steps)
    #expect(outcome.results.isEmpty)
    #expect(outcome.recording.times(.started) == ["whole@0"])
    #expect(try simulate("transaction", Self.steps).results.count == 1)
  }

  @Test func `a commit from another lane waits until something else starts a turn`() throws {
    let outcome = try simulate(
      "transaction.yy", Self.steps, with: ["tick": .duration(.ms(300))])
    #expect(outcome.recording.times(.finished).last == "whole@300")
  }

  @Test func `a commit from main is performed at the end of its turn`() throws {
    let outcome = try simulate("transaction.yy", Self.steps, with: ["from": .string("main")])
    #expect(outcome.recording.times(.finished).last == "whole@0")
  }

  /// The labels of the steps in the order in which they started.
  @Sendable static func order(of trial: Trial) -> [String] {
    let names = Dictionary(
      trial.events.filter { $0.kind == .submitted }.map { ($0.span, $0.name) },
      uniquingKeysWith: { $1 })
    return trial.events.filter { $0.kind == .started }.compactMap { names[$0.span] }
      .filter { $0.count == 1 }
  }

  @Sendable static func inOrder(_ trial: Trial) -> Finding? {
    if let finding = trial.sound() { return finding }
    let order = order(of: trial)
    return order == ["a", "b", "c"] ? nil : Finding("in order", "\(order)")
  }

  static let exploration = Exploration(schedules: 300, isRecording: true)

  @Test func `the search finds the missing wake-up`() throws {
    let report = Self.exploration.explore(try Self.step("transaction.yy", [:]))
    #expect(report.violation?.finding.property == "finishes")
  }

  @Test func `the search finds the arbitrary order`() throws {
    let report = Self.exploration.explore(
      try Self.step("transaction.yy", ["from": .string("main")]), checking: Self.inOrder)
    #expect(report.violation?.finding.property == "in order")
    // The first schedule does not show the fault: there, the set happens to have the order of the commits.
    #expect(report.violations < report.schedules)
  }

  @Test func `the search finds a commit that is lost because there is no lock`() throws {
    let report = Self.exploration.explore(
      try Self.step(
        "transaction.yy", ["from": .string("pool"), "tick": .duration(.ms(1))]))
    #expect(report.violation?.finding.property == "finishes")
    #expect(report.violations < report.schedules)
  }

  @Test(arguments: ["caller", "main", "pool"])
  func `the search finds no fault in this module`(place: String) throws {
    let report = Self.exploration.explore(
      try Self.step("transaction", ["from": .string(place)]),
      checking: { place == "pool" ? $0.sound() : Self.inOrder($0) })
    #expect(report.violations == 0, "\(report.violation?.finding.description ?? "")")
  }
}
