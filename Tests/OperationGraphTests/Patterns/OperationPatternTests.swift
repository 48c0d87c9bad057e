import AsyncPatterns
import AsyncSimulation
import OperationGraph
import OperationGraphPatterns
import PatternTesting
import Testing

/// Tests `operations` and `barrier` on the virtual clock.
@Suite struct OperationPatternTests {
  @Test func `the operations of the example start when their predecessors have ended`() throws {
    let steps: [Step] = [
      .sleep("0", .ms(15)), .sleep("3", .ms(10)), .sleep("1", .ms(15)).after("0", "3"),
      .sleep("2", .ms(10)),
    ]
    let wide = try simulate("operations", steps, width: 5)
    #expect(wide.recording.times(.started) == ["whole@0", "0@0", "3@0", "2@0", "1@15"])
    #expect(wide.recording.edges == ["3 → 1: dependency", "0 → 1: dependency"])
    let narrow = try simulate("operations", steps, width: 1)
    #expect(narrow.recording.times(.started) == ["whole@0", "0@0", "3@15", "2@25", "1@35"])
    #expect(narrow.value == .list([.none, .none, .none, .none]))
  }

  @Test func `a step whose predecessor failed does not start, but the others do`() throws {
    let steps: [Step] = [
      .fail("a", "no such page"), .value("b", .integer(1)).after("a"),
      .value("c", .integer(1)).after("b"), .sleep("d", .ms(10)), .sleep("e", .ms(10)).after("d"),
    ]
    let outcome = try simulate("operations", steps)
    #expect((outcome.error as? StepFailure)?.description == "no such page")
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "d@0", "e@10"])
  }

  @Test func `a cycle and an unknown name are refused before anything runs`() throws {
    let type = try #require(
      OperationGraphPlugin.patterns.first { $0.manual.name == "operations" })
    let pattern = try type.init(Arguments())
    let cycle: [Step] = [
      .sleep("a", .ms(1)).after("c"), .sleep("b", .ms(1)).after("a"),
      .sleep("c", .ms(1)).after("b"),
    ]
    let error = #expect(throws: CompositionError.self) { try pattern.validate(cycle) }
    #expect(error?.message.contains("a after c after b after a") == true)
    #expect(throws: CompositionError.self) {
      try pattern.validate([.sleep("a", .ms(1)).after("z")])
    }
  }

  /// Returns a step that is a barrier.
  private func barrier(_ label: String, _ milliseconds: Int) -> Step {
    var step = Step.sleep(label, .ms(milliseconds))
    step.options["barrier"] = .bool(true)
    return step
  }

  @Test func `a barrier runs alone, after all earlier steps and before all later ones`() throws {
    for seed: UInt64 in 0..<20 {
      let steps: [Step] = [
        .sleep("a", .ms(10)), .sleep("b", .ms(30)), barrier("c", 5), .sleep("d", .ms(10)),
        barrier("e", 5), barrier("f", 5), .sleep("g", .ms(1)), .sleep("h", .ms(1)),
      ]
      let outcome = try simulate("barrier", steps, seed: seed)
      #expect(
        Set(outcome.recording.times(.started)) == [
          "whole@0", "a@0", "b@0", "c@30", "d@35", "e@45", "f@50", "g@55", "h@55",
        ])
      #expect(outcome.recording.times(.finished).last == "whole@56")
      #expect(outcome.results.count == 1)
    }
  }

  @Test func `after a failure no further stage starts, and running steps may end`() throws {
    let steps: [Step] = [
      .sleep("a", .ms(10)), .fail("b", "no such page"), barrier("c", 5), .sleep("d", .ms(1)),
    ]
    let outcome = try simulate("barrier", steps)
    #expect(outcome.error is StepFailure)
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "b@0"])
    #expect(outcome.recording.times(.finished).last == "whole@10")
  }

  @Test func `a barrier respects the width, and barrier false makes an ordinary step`() throws {
    var plain = Step.sleep("c", .ms(10))
    plain.options["barrier"] = .bool(false)
    let steps: [Step] = [.sleep("a", .ms(10)), .sleep("b", .ms(10)), plain, .sleep("d", .ms(10))]
    let outcome = try simulate("barrier", steps, width: 3)
    #expect(outcome.recording.mostConcurrent == 3)
    #expect(outcome.recording.times(.finished).last == "whole@20")
  }

  @Test(arguments: ["operations", "barrier"])
  func `cancelling starts no more steps`(_ name: String) throws {
    let steps: [Step] = [.never("a"), .never("b"), barrier("c", 5)]
    let outcome = try simulate(name, steps, width: 2, cancelAt: .ms(5))
    #expect(outcome.error is CancellationError)
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "b@0"])
    #expect(outcome.recording.times(.finished).last == "whole@5")
  }

  @Test(arguments: ["operations", "barrier"])
  func `without steps the result is empty, and the pattern can run again`(_ name: String) throws {
    #expect(try simulate(name, []).value == .list([]))
    let type = try #require(OperationGraphPlugin.patterns.first { $0.manual.name == name })
    let whole = Step(
      "whole", pattern: try type.init(Arguments()), steps: (1...3).map { increment("s-\($0)") })
    for _ in 1...3 {
      let runtime = SimulatedRuntime()
      let result = Locked<Value?>(nil)
      Run(whole, input: .integer(1), on: runtime) { end in result.withLock { $0 = try? end.get() } }
      runtime.runUntilIdle()
      #expect(result.withLock { $0 } == .list(Array(repeating: .integer(2), count: 3)))
    }
  }

  @Test(.unlessThreadSanitized) func `a hundred thousand steps need no stack and no hop`() throws {
    let steps = (1...100_000).map { increment("s-\($0)") }
    let outcome = try simulate("operations", steps, width: 2, input: .integer(1))
    #expect(outcome.value == .list(Array(repeating: .integer(2), count: 100_000)))
    let lanes = outcome.recording.events.filter { $0.kind == .started }.map(\.lane)
    #expect(Set(lanes).count == 1)
  }
}
