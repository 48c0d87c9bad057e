import Promises
import Simulation
import Testing

/// The patterns that gather, time and recover, as the trace shows them.
@Suite struct GatheringPatternTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let pattern: String
    var arguments: Arguments = [:]
    let steps: [Step]
    let result: String
    /// When what finished did.
    let finished: [String]

    var testDescription: String { "\(pattern): \(result)" }
  }

  private static func failing(_ label: String, after delay: Duration) -> Step {
    Step(label) { _, scope, completion in
      scope.runtime.pool.schedule(after: delay) { completion(.failure(StepFailure("no \(label)"))) }
    }
  }

  private static let three: [Step] = [
    .sleep("a", .ms(30)), .sleep("b", .ms(10)), .sleep("c", .ms(20)),
  ]
  private static let mixed: [Step] = [
    .sleep("a", .ms(30)), failing("b", after: .ms(10)), .sleep("c", .ms(20)),
  ]
  private static let bad = [failing("a", after: .ms(30)), failing("b", after: .ms(10))]

  private static let rows = [
    Row(
      pattern: "all", steps: three, result: "[7, 7, 7]",
      finished: ["b@10", "c@20", "a@30", "whole@30"]),
    Row(
      pattern: "all", steps: mixed, result: "✗no b",
      finished: ["b@10", "a@10", "c@10", "whole@10"]),
    Row(pattern: "all", steps: [], result: "[]", finished: ["whole@0"]),
    Row(
      pattern: "any", steps: mixed, result: "7",
      finished: ["b@10", "c@20", "a@20", "whole@20"]),
    Row(
      pattern: "any", steps: bad, result: "✗all 2 promises failed: no a; no b",
      finished: ["b@10", "a@30", "whole@30"]),
    Row(
      pattern: "race", steps: three, result: "7", finished: ["b@10", "whole@10", "a@10", "c@10"]),
    Row(
      pattern: "race", steps: mixed, result: "✗no b",
      finished: ["b@10", "whole@10", "a@10", "c@10"]),
    Row(
      pattern: "settled", steps: mixed,
      result: #"[["fulfilled", 7], ["rejected", "no b"], ["fulfilled", 7]]"#,
      finished: ["b@10", "c@20", "a@30", "whole@30"]),
    Row(
      pattern: "timeout", arguments: ["limit": .duration(.ms(100))], steps: three, result: "7",
      finished: ["a@30", "b@40", "c@60", "whole@60"]),
    Row(
      pattern: "timeout", arguments: ["limit": .duration(.ms(35))], steps: three,
      result: "✗not through within 35ms", finished: ["a@30", "whole@35", "b@35"]),
    Row(
      pattern: "delay", arguments: ["by": .duration(.ms(5))], steps: three, result: "7",
      finished: ["a@30", "b@40", "c@60", "whole@65"]),
    Row(
      pattern: "delay", arguments: ["by": .duration(.ms(5))], steps: mixed, result: "✗no b",
      finished: ["a@30", "b@40", "whole@40"]),
    Row(
      pattern: "recover", steps: [failing("a", after: .ms(10))] + three.dropFirst(), result: "7",
      finished: ["a@10", "b@20", "whole@20"]),
    Row(
      pattern: "recover", steps: bad, result: "✗no b", finished: ["a@30", "b@40", "whole@40"]),
    Row(
      pattern: "retry",
      arguments: [
        "count": .integer(3), "delay": .duration(.ms(10)), "backoff": .real(2),
        "jitter": .string("none"),
      ], steps: [.sleep("a", .ms(1)), failing("b", after: .ms(1))], result: "✗no b",
      finished: ["a@1", "b@2", "a@13", "b@14", "a@35", "b@36", "whole@36"]),
  ]

  @Test(arguments: rows)
  func `what it comes to, and when`(_ row: Row) throws {
    let outcome = try simulate(
      row.pattern, of: PromisesPlugin.self, row.steps, with: row.arguments, input: .integer(7))
    let result = try #require(outcome.results.first)
    switch result {
    case .success(let value): #expect("\(value)" == row.result)
    case .failure(let error): #expect("✗\(error)" == row.result)
    }
    #expect(outcome.results.count == 1)
    #expect(outcome.recording.times(.finished) == row.finished)
    #expect(outcome.recording.misuse == [])
  }

  @Test(arguments: rows)
  func `cancelling ends it at once`(_ row: Row) throws {
    guard !row.steps.isEmpty else { return }
    let steps = row.steps.map { Step.sleep($0.label, .ms(30)) }
    let outcome = try simulate(
      row.pattern, of: PromisesPlugin.self, steps, with: row.arguments, cancelAt: .ms(5))
    #expect(outcome.error is CancellationError)
    #expect(outcome.recording.times(.finished).allSatisfy { $0.hasSuffix("@5") })
  }

  @Test(arguments: ["all", "any", "race"])
  func `the trace tells whose end resolved it`(_ pattern: String) throws {
    let outcome = try simulate(pattern, Self.three)
    let names = Dictionary(
      outcome.recording.events.filter { $0.kind == .submitted }.map { ($0.span, $0.name) },
      uniquingKeysWith: { $1 })
    let edges = outcome.recording.events.filter { $0.edge == .resolvedBy }
    #expect(
      edges.map { [names[$0.other], names[$0.span]] } == [[pattern == "all" ? "a" : "b", "whole"]])
  }
}
