import AsyncSimulation
import PromisesPatterns
import Testing

/// The patterns that gather, time and recover, as the trace shows them.
@Suite struct GatheringPatternTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let pattern: String
    var arguments: Arguments = [:]
    let steps: [Step]
    let result: String
    /// The steps that finished, with their times.
    let finished: [String]
    /// Whether steps whose result is not needed keep running to their end.
    var runsOn = false

    var testDescription: String { "\(pattern)(\(arguments.names)): \(result)" }
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
      pattern: "all", arguments: ["width": .integer(2)], steps: three, result: "[7, 7, 7]",
      finished: ["b@10", "a@30", "c@30", "whole@30"]),
    Row(
      pattern: "all", arguments: ["width": .integer(1)], steps: mixed, result: "✗no b",
      finished: ["a@30", "b@40", "whole@40"]),
    Row(
      pattern: "all", arguments: ["width": .integer(2)], steps: mixed, result: "✗no b",
      finished: ["b@10", "a@10", "whole@10"]),
    Row(
      pattern: "all", arguments: ["others": .string("continue")], steps: mixed, result: "✗no b",
      finished: ["b@10", "whole@10", "c@20", "a@30"], runsOn: true),
    Row(
      pattern: "all", arguments: ["width": .integer(2), "others": .string("continue")],
      steps: mixed,
      result: "✗no b", finished: ["b@10", "whole@10", "a@30"], runsOn: true),
    Row(
      pattern: "any", steps: mixed, result: "7",
      finished: ["b@10", "c@20", "a@20", "whole@20"]),
    Row(
      pattern: "any", steps: bad, result: "✗all 2 promises failed: no a; no b",
      finished: ["b@10", "a@30", "whole@30"]),
    Row(
      pattern: "any", arguments: ["width": .integer(1)], steps: mixed.reversed(), result: "7",
      finished: ["c@20", "whole@20"]),
    Row(
      pattern: "any", arguments: ["width": .integer(2)],
      steps: [failing("a", after: .ms(30))] + mixed.dropFirst(), result: "7",
      finished: ["b@10", "a@30", "c@30", "whole@30"]),
    Row(
      pattern: "any", arguments: ["width": .integer(1)], steps: bad,
      result: "✗all 2 promises failed: no a; no b", finished: ["a@30", "b@40", "whole@40"]),
    Row(
      pattern: "any", arguments: ["others": .string("continue")], steps: mixed, result: "7",
      finished: ["b@10", "c@20", "whole@20", "a@30"], runsOn: true),
    Row(
      pattern: "race", arguments: ["others": .string("continue")], steps: three, result: "7",
      finished: ["b@10", "whole@10", "c@20", "a@30"], runsOn: true),
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
      pattern: "settled", arguments: ["width": .integer(1)], steps: mixed,
      result: #"[["fulfilled", 7], ["rejected", "no b"], ["fulfilled", 7]]"#,
      finished: ["a@30", "b@40", "c@60", "whole@60"]),
    Row(
      pattern: "timeout", arguments: ["limit": .duration(.ms(35)), "value": .string("late")],
      steps: three, result: #""late""#, finished: ["a@30", "b@35", "whole@35"]),
    Row(
      pattern: "timeout", arguments: ["limit": .duration(.ms(100)), "value": .string("late")],
      steps: mixed, result: "✗no b", finished: ["a@30", "b@40", "whole@40"]),
    Row(
      pattern: "timeout", arguments: ["limit": .duration(.ms(100))], steps: three, result: "7",
      finished: ["a@30", "b@40", "c@60", "whole@60"]),
    Row(
      pattern: "timeout", arguments: ["limit": .duration(.ms(35))], steps: three,
      result: "✗“a … c” timed out after 35ms", finished: ["a@30", "whole@35", "b@35"]),
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
      pattern: "recover", arguments: ["from": .string("a")],
      steps: [failing("a", after: .ms(10))] + three.dropFirst(), result: "7",
      finished: ["a@10", "b@20", "whole@20"]),
    Row(
      pattern: "recover", arguments: ["from": .string("x")],
      steps: [failing("a", after: .ms(10))] + three.dropFirst(), result: "✗no a",
      finished: ["a@10", "whole@10"]),
    Row(
      pattern: "retry",
      arguments: [
        "count": .integer(3), "delay": .duration(.ms(10)), "backoff": .real(2),
        "jitter": .string("none"),
      ], steps: [.sleep("a", .ms(1)), failing("b", after: .ms(1))], result: "✗no b",
      finished: ["a@1", "b@2", "a@13", "b@14", "a@35", "b@36", "whole@36"]),
  ]

  @Test(arguments: rows)
  func `the result of the pattern, and its time`(_ row: Row) throws {
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
    let ended = outcome.recording.times(.finished).firstIndex { $0.hasPrefix("whole") }
    let late = outcome.recording.events.count { $0.kind == .finished && $0.outcome == .cancelled }
    if row.runsOn { #expect(late == 0 && ended != row.finished.count - 1) }
  }

  @Test(arguments: rows)
  func `cancelling ends it immediately`(_ row: Row) throws {
    guard !row.steps.isEmpty else { return }
    let steps = row.steps.map { Step.sleep($0.label, .ms(30)) }
    let outcome = try simulate(
      row.pattern, of: PromisesPlugin.self, steps, with: row.arguments, cancelAt: .ms(5))
    #expect(outcome.error is CancellationError)
    #expect(outcome.recording.times(.finished).allSatisfy { $0.hasSuffix("@5") })
  }

  @Test(arguments: ["all", "any", "race"])
  func `the trace names the step whose end resolved it`(_ pattern: String) throws {
    let outcome = try simulate(pattern, Self.three)
    let names = Dictionary(
      outcome.recording.events.filter { $0.kind == .submitted }.map { ($0.span, $0.name) },
      uniquingKeysWith: { $1 })
    let end = try #require(
      outcome.recording.events.last { $0.kind == .finished && $0.cause.kind == .end })
    #expect(
      [names[end.cause.span], names[end.span]] == [pattern == "all" ? "a" : "b", "whole"])
  }

  @Test(arguments: ["all", "race"])
  func `a step that fails although it was cancelled loses no failure`(_ pattern: String) throws {
    let steps = [10, 20].map { time in
      Step("s\(time)") { _, scope, completion in
        scope.runtime.pool.schedule(after: .ms(time)) {
          completion(.failure(StepFailure("\(time)")))
        }
      }
    }
    let outcome = try simulate(pattern, steps)
    #expect(outcome.error as? StepFailure == StepFailure("10"))
    #expect(outcome.recording.times(.finished) == ["s10@10", "whole@10", "s20@20"])
    #expect(outcome.recording.misuse == [])
  }

  @Test func `a cancelled run does not affect the next run on the same thread`() throws {
    let step = Step.sleep("a", .ms(10))
    let limit: Arguments = ["limit": .duration(.ms(5))]
    _ = try simulate("timeout", of: PromisesPlugin.self, [step], with: limit)
    let by: Arguments = ["by": .duration(.ms(5))]
    let delayed = try simulate("delay", of: PromisesPlugin.self, [step], with: by)
    let ends = delayed.recording.events.filter { $0.kind == .finished }
    #expect(ends.map(\.cause) == [Cause(.timer, Span(id: 2)), Cause(.timer, Span(id: 1))])
  }

  @Test(arguments: ["all", "any", "settled"])
  func `at most width steps run`(_ pattern: String) throws {
    let steps = (1...9).map { Self.failing("s\($0)", after: .ms(10)) }
    let outcome = try simulate(
      pattern, of: PromisesPlugin.self, steps, with: ["width": .integer(3)])
    let starts = outcome.recording.times(.started).dropFirst().map { $0.split(separator: "@")[1] }
    #expect(
      starts.map { String($0) }
        == (pattern == "all" ? "0 0 0" : "0 0 0 10 10 10 20 20 20").split(separator: " ").map {
          String($0)
        })
  }

  @Test(
    arguments: [
      ("all", "width", Value.integer(0), "“width” takes a whole number from 1, not 0"),
      ("any", "width", .integer(-1), "“width” takes a whole number from 1, not -1"),
      ("settled", "width", .real(1.5), "“width” takes a whole number from 1, not 1.5"),
      ("race", "others", .bool(true), "“others” takes cancel or continue, not true"),
      ("promise", "on", .string("moon"), "“on” takes inline or main or pool, not \"moon\""),
      (
        "task", "executor", .string("gcd"),
        "“executor” takes immediate or main or pool, not \"gcd\""
      ),
      (
        "recover", "from", .string(""),
        "“from” is empty, and every error's text contains the empty text: name a part of the text, or "
          + "leave “from” out to recover from all failures"
      ),
      (
        "retry", "backoff", .real(0.5),
        "“backoff” takes a number from 1, not 0.5: shrinking delays would increase the load on a busy "
          + "service"
      ),
    ])
  func `invalid parameters are refused`(
    _ pattern: String, _ parameter: String, _ value: Value, _ message: String
  ) throws {
    let arguments: Arguments =
      pattern == "retry" ? ["count": .integer(3), parameter: value] : [parameter: value]
    let error = #expect(throws: ArgumentError.self) {
      try simulate(
        pattern, of: PromisesPlugin.self, [.sleep("a", .ms(1))],
        with: arguments)
    }
    #expect(error?.message == message)
    #expect(error?.parameter == parameter)
  }

  @Test(
    arguments: [
      ("promise", "on", "inline", "main", [0, 0]), ("promise", "on", "inline", "pool", [1, 1]),
      ("promise", "on", "main", "pool", [1, 0]), ("promise", "on", "pool", "main", [0, 1]),
      ("task", "executor", "immediate", "main", [0, 0]),
      ("task", "executor", "immediate", "pool", [1, 1]),
      ("task", "executor", "main", "pool", [1, 0]), ("task", "executor", "pool", "main", [0, 1]),
    ])
  func `a chain starts its steps on the given lane`(
    _ pattern: String, _ parameter: String, _ place: String, _ lane: String, _ lanes: [UInt32]
  ) throws {
    var first = increment("a")
    first.options["on"] = .string(lane)
    let outcome = try simulate(
      pattern, of: PromisesPlugin.self, [first, increment("b")],
      with: [parameter: .string(place)], input: .integer(1))
    #expect(outcome.value == .integer(3))
    let starts = outcome.recording.events.filter { $0.kind == .started }
    // It does not matter which worker of the pool it is.
    #expect(starts.dropFirst().map { min($0.lane.number, 1) } == lanes)
  }
}
