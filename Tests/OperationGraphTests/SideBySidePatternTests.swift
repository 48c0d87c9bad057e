import AsyncPatterns
import AsyncSimulation
import OperationGraph
import OperationGraphPatterns
import PatternTesting
import Testing

/// Checks the guarantees of all patterns of this module.
@Suite struct SideBySidePatternTests {
  /// A pattern and its width.
  struct Way: CustomTestStringConvertible {
    let pattern: String
    let width: Int?
    var testDescription: String { width.map { "\(pattern)(\($0))" } ?? pattern }
  }

  static let all = [
    Way(pattern: "graph", width: nil), Way(pattern: "graph", width: 2),
    Way(pattern: "group", width: nil), Way(pattern: "bounded", width: 2),
    Way(pattern: "bounded", width: 1), Way(pattern: "operations", width: nil),
    Way(pattern: "operations", width: 2), Way(pattern: "barrier", width: nil),
    Way(pattern: "barrier", width: 2),
  ]

  private func run(
    _ way: Way, _ steps: [Step], input: Value = .none, workers: Int = 4, seed: UInt64 = 0,
    cancelAt: Duration? = nil
  ) throws -> Outcome {
    try simulate(
      way.pattern, steps, width: way.width, input: input, workers: workers, seed: seed,
      cancelAt: cancelAt)
  }

  @Test(arguments: all) func `each step gets the input, and results are in step order`(
    _ way: Way
  ) throws {
    let steps: [Step] = [.sleep("slow", .ms(30)), increment("b"), increment("c")]
    let outcome = try run(way, steps, input: .integer(4))
    #expect(outcome.value == .list([.integer(4), .integer(5), .integer(5)]))
    #expect(outcome.results.count == 1)
  }

  @Test(arguments: all) func `without steps the result is empty`(_ way: Way) throws {
    #expect(try run(way, [], input: .integer(4)).value == .list([]))
  }

  @Test(arguments: all) func `at most the width run at the same time`(_ way: Way) throws {
    for seed: UInt64 in 0..<20 {
      let steps = (1...9).map { Step.sleep("s-\($0)", .ms($0 * 7 % 5 + 1)) }
      let outcome = try run(way, steps, seed: seed)
      #expect(outcome.recording.mostConcurrent == way.width ?? 9)
      #expect(outcome.recording.events.count { $0.kind == .started } == 10)
      #expect(outcome.recording.events.count { $0.kind == .finished } == 10)
    }
  }

  @Test(arguments: all.filter { $0.pattern != "operations" })
  func `nothing starts after a failure, and running steps end before the result`(
    _ way: Way
  ) throws {
    let late = Step("late") { _, scope, completion in
      scope.runtime.pool.schedule(after: .ms(20)) {
        completion(.failure(StepFailure("too late")))
      }
    }
    let outcome = try run(
      way, [late, .fail("b", "no such page"), .sleep("c", .ms(30)), .sleep("d", .ms(30))])
    let isFirst = way.width == 1
    #expect(outcome.error as? StepFailure == StepFailure(isFirst ? "too late" : "no such page"))
    let started = outcome.recording.times(.started)
    switch way.width {
    case nil: #expect(started == ["whole@0", "late@0", "b@0", "c@0", "d@0"])
    case 1: #expect(started == ["whole@0", "late@0"])
    default: #expect(started == ["whole@0", "late@0", "b@0"])
    }
    let end = way.width == nil ? 30 : 20
    #expect(outcome.recording.times(.finished).last == "whole@\(end)")
  }

  @Test(arguments: all) func `cancelling starts no more steps`(_ way: Way) throws {
    let steps = (1...5).map { Step.sleep("s-\($0)", .ms(20)) }
    let outcome = try run(way, steps, cancelAt: .ms(5))
    #expect(outcome.error is CancellationError)
    let count = way.width ?? 5
    #expect(outcome.recording.events.count { $0.kind == .started } == count + 1)
    #expect(outcome.recording.events.count { $0.kind == .finished } == count + 1)
    #expect(outcome.recording.times(.finished).last == "whole@5")
  }

  @Test(arguments: all) func `after a step that ignores cancelling no step starts`(
    _ way: Way
  ) throws {
    let deaf = Step("deaf") { input, scope, completion in
      scope.runtime.pool.schedule(after: .ms(20)) { completion(.success(input)) }
    }
    let steps = [deaf] + (1...5).map { Step.sleep("s-\($0)", .ms(20)) }
    let outcome = try run(way, steps, cancelAt: .ms(5))
    #expect(outcome.error is CancellationError)
    #expect(outcome.recording.events.count { $0.kind == .started } == (way.width ?? 6) + 1)
    #expect(outcome.recording.times(.finished).last == "whole@20")
  }

  @Test(arguments: all) func `a dropped completion fails the step`(_ way: Way) throws {
    let outcome = try run(way, [Step("forgetful") { _, _, _ in }, .sleep("b", .ms(20))])
    #expect(outcome.error as? CompletionDropped == CompletionDropped(step: "forgetful"))
    #expect(outcome.recording.misuse == ["completion-dropped"])
  }

  @Test(arguments: all) func `a second completion has no effect`(_ way: Way) throws {
    let steps: [Step] = [.twice("a", .ms(20)), .sleep("b", .ms(50)), .sleep("c", .ms(50))]
    let outcome = try run(way, steps)
    #expect(outcome.recording.misuse == ["completed-twice"])
    #expect(outcome.recording.events.count { $0.kind == .finished } == 4)
    #expect(outcome.value == .list([.none, .none, .none]))
  }

  @Test(arguments: all) func `steps that never end can be cancelled`(_ way: Way) throws {
    let steps: [Step] = [.never("a"), .never("b"), .never("c")]
    #expect(try run(way, steps).results.isEmpty)
    let outcome = try run(way, steps, cancelAt: .ms(5))
    #expect(outcome.error is CancellationError)
    #expect(outcome.recording.times(.finished).last == "whole@5")
  }

  @Test(arguments: all) func `asynchronous functions can be steps`(_ way: Way) throws {
    let steps = (1...4).map { number in
      Step("s-\(number)") { _, scope in
        try await scope.sleep(for: .ms(10))
        return .integer(number)
      }
    }
    let outcome = try run(way, steps)
    #expect(outcome.value == .list((1...4).map { .integer($0) }))
  }

  @Test(.unlessThreadSanitized, arguments: all)
  func `many steps need no stack and no hop`(
    _ way: Way
  ) throws {
    let steps = (1...20_000 * SearchLength.factor).map { increment("s-\($0)") }
    let outcome = try run(way, steps, input: .integer(1))
    #expect(outcome.value == .list(Array(repeating: .integer(2), count: steps.count)))
    let lanes = outcome.recording.events.filter { $0.kind == .started }.map(\.lane)
    #expect(Set(lanes).count == 1)
  }

  @Test(arguments: all) func `no thread is blocked`(_ way: Way) throws {
    let outcome = try run(way, (1...6).map { .sleep("s-\($0)", .ms(5)) })
    #expect(!outcome.recording.events.contains { $0.kind == .blocked })
  }

  @Test(arguments: all) func `steps can run again, and a pattern can run other steps`(
    _ way: Way
  ) throws {
    var arguments = Arguments()
    arguments["width"] = way.width.map { .integer($0) }
    let type = try #require(
      OperationGraphPlugin.patterns.first { $0.manual.name == way.pattern })
    let pattern = try type.init(arguments)
    let three = (1...3).map { Step.value("s-\($0)", .integer($0)) }
    let two = (7...8).map { Step.value("s-\($0)", .integer($0)) }
    for (steps, values) in [(three, [1, 2, 3]), (three, [1, 2, 3]), (two, [7, 8])] {
      let whole = Step("whole", pattern: pattern, steps: steps)
      for _ in 1...2 {
        let runtime = SimulatedRuntime()
        let result = Locked<Value?>(nil)
        Run(whole, on: runtime) { end in result.withLock { $0 = try? end.get() } }
        runtime.runUntilIdle()
        #expect(result.withLock { $0 } == .list(values.map { .integer($0) }))
      }
    }
  }

  @Test func `a pattern that ignores dependencies refuses them`() throws {
    for pattern in OperationGraphPlugin.patterns
    where !["graph", "operations"].contains(pattern.manual.name) {
      #expect(pattern.manual.ordering == .none)
      let steps: [Step] = [.sleep("a", .ms(1)), .sleep("b", .ms(1)).after("a")]
      #expect(throws: CompositionError.self) {
        try pattern.init(["width": .integer(2)]).validate(steps)
      }
    }
  }
}
