import AsyncPatterns
import AsyncSimulation
import OperationGraph
import OperationGraphPatterns
import Testing

/// Tests `graph` with the options of its steps and its policy.
@Suite struct StepOptionTests {
  private func run(
    _ steps: [Step], width: Int? = nil, policy: String = "stop", cancelAt: Duration? = nil
  ) throws -> Outcome {
    var arguments: Arguments = ["on-failure": .string(policy)]
    arguments["width"] = width.map { .integer($0) }
    return try simulate(
      "graph", of: OperationGraphPlugin.self, steps, with: arguments, cancelAt: cancelAt)
  }

  @Test func `a trigger starts a step after a failure, if the policy allows it`() throws {
    let steps: [Step] = [
      .fail("load", "no such page"),
      .value("mend", .integer(1)).after("load").with(["trigger": .string("any-failed")]),
      .value("tidy", .integer(2)).after("load", "mend").with(["trigger": .string("all-done")]),
      .value("show", .integer(3)).after("load"),
    ]
    let outcome = try run(steps, policy: "finish-independent")
    #expect(outcome.recording.times(.started) == ["whole@0", "load@0", "mend@0", "tidy@0"])
    #expect(outcome.error as? StepFailure == StepFailure("no such page"))
    #expect(try run(steps, policy: "continue").error is GraphFailures)
  }

  @Test func `a skipped step has no value, and the others have theirs`() throws {
    let outcome = try run(
      [
        .value("a", .integer(1)),
        .value("b", .integer(2)).after("a").with(["trigger": .string("any-failed")]),
      ], policy: "continue")
    #expect(outcome.value == .list([.integer(1), .none]))
  }

  @Test func `a failure cancels the running steps, if the policy says so`() throws {
    let steps: [Step] = [
      .sleep("long", .ms(50)), .sleep("short", .ms(10)), .fail("bad", "broken").after("short"),
      .sleep("rest", .ms(1)).after("long"),
    ]
    let outcome = try run(steps, policy: "cancel-all")
    #expect(
      outcome.recording.times(.started).sorted() == ["bad@10", "long@0", "short@0", "whole@0"])
    #expect(outcome.recording.times(.finished).last == "whole@10")
    #expect(outcome.error as? StepFailure == StepFailure("broken"))
    #expect(try run(steps).recording.times(.finished).last == "whole@50")
  }

  @Test func `limits, exclusive use and priorities decide the order`() throws {
    let limited = (1...3).map { Step.sleep("q\($0)", .ms(10)).with(["limit": .string("db 2")]) }
    let outcome = try run(
      limited + [
        .sleep("w", .ms(5)).with(["exclusive": .string("db"), "priority": .string("high")]),
        .sleep("free", .ms(1)),
      ])
    #expect(
      outcome.recording.times(.started).sorted()
        == ["free@0", "q1@5", "q2@5", "q3@15", "w@0", "whole@0"])
  }

  @Test func `a step is retried until it succeeds, and each attempt has its own timeout`() throws {
    let starts = Locked(0)
    let slow = Step("slow") { input, scope, completion in
      let start = starts.withLock { count in
        count += 1
        return count
      }
      let timer = scope.runtime.pool.schedule(after: .ms(start < 3 ? 100 : 5)) {
        completion(.success(.integer(start)))
      }
      scope.onCancel {
        timer.cancel()
        completion(.failure(CancellationError()))
      }
    }.with(["retry": .integer(3), "timeout": .duration(.ms(10))])
    let outcome = try run([slow])
    #expect(outcome.value == .list([.integer(3)]))
    #expect(outcome.recording.times(.finished) == ["slow@10", "slow@20", "slow@25", "whole@25"])
  }

  @Test func `cancelling ends a graph whose steps have options`() throws {
    let steps: [Step] = (1...3).map {
      .sleep("s\($0)", .ms(20)).with(["exclusive": .string("x"), "retry": .integer(3)])
    }
    let outcome = try run(steps, cancelAt: .ms(5))
    #expect(outcome.error is CancellationError)
    #expect(outcome.recording.times(.finished) == ["s1@5", "whole@5"])
  }

  @Test func `options with default values make no difference`() throws {
    let steps: [Step] = [
      .sleep("a", .ms(10)), .sleep("b", .ms(20)), .sleep("c", .ms(5)).after("a", "b"),
    ]
    let plain = try run(steps, width: 2)
    let optioned = try run(
      steps.map { $0.with(["priority": .string("normal"), "trigger": .string("all-succeeded")]) },
      width: 2)
    let asked = try run(steps.map { $0.with(["retry": .integer(1)]) }, width: 2)
    for outcome in [optioned, asked] {
      #expect(outcome.recording.times(.started) == plain.recording.times(.started))
      #expect(outcome.recording.times(.finished) == plain.recording.times(.finished))
      #expect(outcome.value == plain.value)
    }
  }

  /// The options of b, which depends on a, and the expected message.
  static let refused: [(options: Arguments, policy: String, message: String)] = [
    (
      ["trigger": .string("any-failed")], "stop",
      "“b” could never start, because the graph starts no step after a failure; give it "
        + "on-failure: finish-independent or continue"
    ),
    (
      ["timeout": .duration(.zero)], "stop",
      "“b” has the timeout 0ns, so it could never end in time; give it a timeout above zero"
    ),
    (
      ["limit": .string("db")], "stop",
      "“b” has the limit “db”; write a name and a whole number from 1, as in “db 2”"
    ),
    (
      ["limit": .string("db 0")], "stop",
      "“b” has the limit “db 0”; write a name and a whole number from 1, as in “db 2”"
    ),
    (
      ["limit": .string("db 2, db 2")], "stop", "“b” names “db” twice in its limit; leave out one"
    ),
    (
      ["limit": .string("net 3")], "stop",
      "“b” limits “net” to 3, but “a” limits it to 4; use the same limit"
    ),
    (
      ["limit": .string("db 2"), "exclusive": .string("db")], "stop",
      "“b” names “db” in “limit” and in “exclusive”; leave out one of the two"
    ),
    (
      ["exclusive": .string(" ")], "stop",
      "“b” has an empty name in “exclusive”; write a name, as in exclusive: db"
    ),
  ]

  @Test(arguments: refused)
  func `invalid options are refused`(
    options: Arguments, policy: String, message: String
  ) throws {
    let steps: [Step] = [
      .sleep("a", .ms(1)).with(["limit": .string("net 4")]),
      .sleep("b", .ms(1)).after("a").with(options),
    ]
    let graph = try #require(OperationGraphPlugin.patterns.first).init([
      "on-failure": .string(policy)
    ])
    let error = #expect(throws: CompositionError.self) { try graph.validate(steps) }
    #expect(error?.message == message)
    #expect(error?.step == "b")
    #expect(try run(steps, policy: policy).error as? CompositionError == error)
  }

  @Test func `a trigger without a predecessor is refused`() throws {
    let graph = try #require(OperationGraphPlugin.patterns.first).init([:])
    #expect(throws: CompositionError.self) {
      try graph.validate([Step.sleep("a", .ms(1)).with(["trigger": .string("all-done")])])
    }
  }
}

extension Step {
  /// Returns the same step with options.
  fileprivate func with(_ options: Arguments) -> Step {
    var step = self
    step.options = options
    return step
  }
}
