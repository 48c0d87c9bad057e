import AsyncSimulation
import OperationGraph
import OperationGraphPatterns
import PatternTesting
import Testing

@Suite struct GraphPatternTests {
  @Test func `a step starts when its predecessors have finished`() throws {
    let outcome = try simulate(
      "graph",
      [.sleep("a", .ms(10)), .sleep("b", .ms(20)), .sleep("c", .ms(5)).after("a", "b")])
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "b@0", "c@20"])
    #expect(outcome.recording.times(.finished) == ["a@10", "b@20", "c@25", "whole@25"])
  }

  @Test func `a step may depend on a step that is written later`() throws {
    let outcome = try simulate(
      "graph", [.sleep("a", .ms(10)).after("b"), .sleep("b", .ms(20)), .sleep("c", .ms(5))])
    #expect(outcome.recording.times(.started) == ["whole@0", "b@0", "c@0", "a@20"])
  }

  @Test func `the trace records the dependencies of a step and whose permit it got`() throws {
    let outcome = try simulate(
      "graph",
      [
        .sleep("a", .ms(10)), .sleep("b", .ms(20)), .sleep("c", .ms(5)),
        .sleep("d", .ms(5)).after("a"), .sleep("e", .ms(5)).after("a", "d"),
      ], width: 2)
    // At 10 ms c gets the permit of a, and d must wait until c ends.
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "b@0", "c@10", "d@15", "e@20"])
    #expect(
      outcome.recording.edges == [
        "a → c: permitFrom", "a → d: dependency", "a → e: dependency", "c → d: permitFrom",
        "d → e: dependency",
      ])
  }

  @Test func `after a failure no further step starts`() throws {
    let outcome = try simulate(
      "graph",
      [
        .sleep("a", .ms(10)), .fail("b", "no such page").after("a"), .sleep("c", .ms(5)).after("b"),
        .sleep("d", .ms(30)), .sleep("e", .ms(5)).after("d"),
      ])
    #expect(outcome.error as? StepFailure == StepFailure("no such page"))
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "d@0", "b@10"])
    #expect(outcome.recording.times(.finished) == ["a@10", "b@10", "d@30", "whole@30"])
  }

  @Test(.unlessThreadSanitized)
  func `a chain can have a hundred thousand steps that complete immediately`() throws {
    let steps = (0..<100_000).map { index in
      index == 0 ? increment("s-0") : increment("s-\(index)").after("s-\(index - 1)")
    }
    let outcome = try simulate("graph", steps, input: .integer(1))
    #expect(outcome.value == .list(Array(repeating: .integer(2), count: 100_000)))
    #expect(Set(outcome.recording.events.filter { $0.kind == .started }.map(\.lane)).count == 1)
  }

  @Test(.unlessThreadSanitized)
  func `one step after a hundred thousand, and a hundred thousand after one`() throws {
    var last = Step.sleep("last", .ms(1))
    let middle = (1...100_000).map { Step.sleep("s-\($0)", .ms(1)).after("first") }
    last.predecessors = middle.map(\.label)
    let outcome = try simulate("graph", [.sleep("first", .ms(1))] + middle + [last])
    #expect(outcome.recording.times(.started).last == "last@2")
    #expect(outcome.recording.times(.finished).last == "whole@3")
  }

  @Test func `a graph can be a step of another graph`() throws {
    let inner = Step(
      "inner", pattern: try #require(OperationGraphPlugin.patterns.first).init([:]),
      steps: [.sleep("x", .ms(10)), .sleep("y", .ms(5)).after("x")])
    let outcome = try simulate(
      "graph", [.sleep("a", .ms(10)), inner.after("a"), .sleep("c", .ms(5)).after("inner")])
    #expect(
      outcome.recording.times(.started) == ["whole@0", "a@0", "inner@10", "x@10", "y@20", "c@25"])
  }

  /// The dependencies as written, the expected message, and the step that it names.
  static let refused: [(after: [(String, [String])], message: String, step: String)] = [
    (
      [("a", ["c"]), ("b", ["a"]), ("c", ["b"])],
      "these steps wait for each other: a after c after b after a; leave out one “after”", "a"
    ),
    ([("a", ["a"])], "these steps wait for each other: a after a; leave out one “after”", "a"),
    (
      [("x", []), ("b", ["x", "d"]), ("c", ["b"]), ("d", ["c"]), ("e", ["d"])],
      "these steps wait for each other: b after d after c after b; leave out one “after”", "b"
    ),
    (
      [("e", ["d"]), ("d", ["c", "x"]), ("c", ["d"]), ("x", [])],
      "these steps wait for each other: d after c after d; leave out one “after”", "d"
    ),
    ([("a", []), ("c", ["x"])], "“c” comes after “x”, but there is no step “x” here", "c"),
  ]

  @Test(arguments: refused, ["graph", "operations"])
  func `a cycle and an unknown step are refused`(
    refused: (after: [(String, [String])], message: String, step: String), pattern: String
  ) throws {
    let (after, message, step) = refused
    let steps = after.map { label, predecessors in
      var step = Step.sleep(label, .ms(1))
      step.predecessors = predecessors
      return step
    }
    let type = try #require(OperationGraphPlugin.patterns.first { $0.manual.name == pattern })
    let error = #expect(throws: CompositionError.self) { try type.init([:]).validate(steps) }
    #expect(error?.message == message)
    #expect(error?.step == step)
    // If the pattern is started nevertheless, it fails and starts nothing.
    let outcome = try simulate(pattern, steps)
    #expect(pattern != "graph" || outcome.error as? CompositionError == error)
    #expect(outcome.error != nil)
    #expect(outcome.recording.times(.started) == ["whole@0"])
  }

  @Test func `a dependency that is written twice counts once`() throws {
    let outcome = try simulate(
      "graph", [.sleep("a", .ms(10)), .sleep("b", .ms(5)).after("a", "a")])
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "b@10"])
  }
}
