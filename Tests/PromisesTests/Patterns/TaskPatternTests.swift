import AsyncSimulation
import PatternTesting
import PromisesPatterns
import Testing

@Suite struct TaskPatternTests {
  private static func simulated(
    _ steps: [Step], executor: String = "immediate", input: Value = .none,
    cancelAt: Duration? = nil
  ) throws -> Outcome {
    try simulate(
      "task", of: PromisesPlugin.self, steps, with: ["executor": .string(executor)], input: input,
      cancelAt: cancelAt)
  }

  @Test(arguments: ["immediate", "main", "pool"])
  func `each step continues the step before it`(_ executor: String) throws {
    let outcome = try Self.simulated(
      [.sleep("a", .ms(20)), increment("b"), increment("c")], executor: executor,
      input: .integer(4))
    #expect(outcome.value == .integer(6))
    #expect(outcome.recording.times(.finished) == ["a@20", "b@20", "c@20", "whole@20"])
    let starts = outcome.recording.events.filter { $0.kind == .started && $0.cause.kind == .end }
    #expect(starts.map { [$0.cause.span.id, $0.span.id] } == [[2, 3], [3, 4]])
  }

  @Test func `several steps continue one task, and each gets its own task`() throws {
    let outcome = try Self.simulated(
      [
        .sleep("a", .ms(10)), .sleep("b", .ms(10)).after("a"), .sleep("c", .ms(30)).after("a"),
        .sleep("d", .ms(10)).after("b"), increment("e").after("a"),
      ], input: .integer(4))
    #expect(outcome.value == .integer(5), "the last one's")
    #expect(
      outcome.recording.times(.started) == ["whole@0", "a@0", "b@10", "c@10", "e@10", "d@20"])
    #expect(outcome.recording.times(.finished).last == "whole@40")
  }

  @Test func `a step that continues several steps gets the list of their values`() throws {
    let outcome = try Self.simulated(
      [.sleep("a", .ms(10)), increment("b").after("a"), .sleep("c", .ms(1)).after("a", "b")],
      input: .integer(4))
    #expect(outcome.value == .list([.integer(4), .integer(5)]))
  }

  @Test func `a failure moves down the list to the first step that handles it`() throws {
    let steps: [Step] = [.fail("a", "no such page"), .sleep("b", .ms(1)), .sleep("c", .ms(1))]
    let failed = try Self.simulated(steps)
    #expect(failed.error as? StepFailure == StepFailure("no such page"))
    #expect(failed.recording.times(.started) == ["whole@0", "a@0"])
    for condition in ["failure", "always"] {
      let taken = try Self.simulated([steps[0], steps[1], steps[2].when(condition)])
      #expect(taken.value == .string("no such page"))
      #expect(taken.recording.times(.started) == ["whole@0", "a@0", "c@0"])
    }
  }

  @Test func `a failure handler forwards a value, and a step that always runs gets it`() throws {
    let steps = [increment("a"), increment("b").when("failure"), increment("c").when("always")]
    let outcome = try Self.simulated(steps, input: .integer(4))
    #expect(outcome.value == .integer(6))
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "c@0"])
  }

  @Test func `a failure that no step handles is the result at the end`() throws {
    let outcome = try Self.simulated([
      .sleep("a", .ms(10)), .fail("b", "bad").after("a"), .sleep("c", .ms(20)).after("a"),
    ])
    #expect(outcome.error as? StepFailure == StepFailure("bad"))
    #expect(outcome.recording.times(.finished) == ["a@10", "b@10", "c@30", "whole@30"])
  }

  @Test func `cancelling prevents further starts, even of steps that always run`() throws {
    let outcome = try Self.simulated(
      [.sleep("a", .ms(20)), .sleep("b", .ms(20)).when("always")], cancelAt: .ms(5))
    #expect(outcome.error is CancellationError)
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0"])
  }

  @Test func `without steps the input is the result`() throws {
    #expect(try Self.simulated([], input: .integer(4)).value == .integer(4))
  }

  @Test(.unlessThreadSanitized) func `an immediate chain needs no hop and no stack`() throws {
    let steps = [Step.value("first", .integer(0))] + (1..<50_000).map { increment("s-\($0)") }
    let outcome = try Self.simulated(steps)
    #expect(outcome.value == .integer(49_999))
    #expect(Set(outcome.recording.events.filter { $0.kind == .started }.map(\.lane)).count == 1)
  }

  @Test func `a step can continue only existing steps`() throws {
    let type = try #require(PromisesPlugin.patterns.first { $0.manual.name == "task" })
    let pattern = try type.init(["executor": .string("main")])
    let error = #expect(throws: CompositionError.self) {
      try pattern.validate([.sleep("a", .ms(1)).after("b"), .sleep("b", .ms(1))])
    }
    #expect(
      error?.message == """
        “a” cannot come after “b”, which is not an earlier step: a task can only continue an existing \
        one; name an earlier step
        """)
    #expect(error?.step == "a")
  }
}

extension Step {
  fileprivate func after(_ labels: String...) -> Step {
    var step = self
    step.predecessors = labels
    return step
  }

  fileprivate func when(_ condition: String) -> Step {
    var step = self
    step.options["when"] = .string(condition)
    return step
  }
}
