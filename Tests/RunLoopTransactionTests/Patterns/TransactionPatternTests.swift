import RunLoopTransaction
import RunLoopTransactionPatterns
import Testing

func simulate(
  _ pattern: String, _ steps: [Step], with arguments: Arguments = [:], seed: UInt64 = 0,
  cancelAt: Duration? = nil
) throws -> Outcome {
  try PatternTesting.simulate(
    pattern, of: RunLoopTransactionPlugin.self, steps, with: arguments, seed: seed,
    cancelAt: cancelAt)
}

extension Step {
  func with(_ name: String, _ value: Value) -> Step {
    var step = self
    step.options[name] = value
    return step
  }
}

@Suite struct TransactionPatternTests {
  @Test func `steps start on main in the written order, and the result is a list`() throws {
    let outcome = try simulate(
      "transaction", [.value("a", .integer(1)), .work("b", .ms(2)), .value("c", .integer(3))])
    #expect(outcome.value == .list([.integer(1), .none, .integer(3)]))
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "b@0", "c@2"])
    let lanes = outcome.recording.events.filter { $0.kind == .started }.dropFirst().map(\.lane)
    #expect(lanes == [.main, .main, .main])
  }

  @Test func `a step on the pool does not occupy main`() throws {
    let outcome = try simulate(
      "transaction", [.work("a", .ms(5)).with("on", .string("pool")), .value("b", .integer(1))])
    #expect(outcome.recording.times(.started).contains("b@0"))
  }

  @Test func `of the steps with one key the last starts, in the position of the first`() throws {
    let outcome = try simulate(
      "transaction",
      [
        .value("a", .integer(1)).with("key", .string("text")), .value("b", .integer(2)),
        .value("c", .integer(3)).with("key", .string("text")),
      ])
    #expect(outcome.recording.times(.started) == ["whole@0", "c@0", "b@0"])
    #expect(outcome.value == .list([.integer(3), .integer(2), .integer(3)]))
  }

  @Test func `steps start in the order of their priorities`() throws {
    let outcome = try simulate(
      "transaction",
      [
        .value("a", .integer(1)).with("priority", .string("low")), .value("b", .integer(2)),
        .value("c", .integer(3)).with("priority", .string("high")),
      ])
    #expect(outcome.recording.times(.started) == ["whole@0", "c@0", "b@0", "a@0"])
  }

  @Test(arguments: [("budget", Value.duration(.ms(4))), ("batch", .integer(2))])
  func `limits let other jobs of main run in between`(name: String, value: Value) throws {
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    let type = try #require(
      RunLoopTransactionPlugin.patterns.first { $0.manual.name == "transaction" })
    let pattern = try type.init(type.manual.resolve([(name: name, value: value)]))
    let steps = (1...6).map { Step.work("row-\($0)", .ms(2)) }
    let other = Locked<Int64?>(nil)
    Run(Step("whole", pattern: pattern, steps: steps), on: runtime) { _ in }
    runtime.main.schedule(after: .ms(1)) { other.withLock { $0 = runtime.milliseconds } }
    runtime.runUntilIdle()
    #expect(other.withLock { $0 } == 4)
    #expect(recording.times(.finished).last == "whole@12")
  }

  @Test(arguments: [(5, ["lower", "a", "higher"]), (7, ["lower", "higher", "a"])])
  func `its order sets its position among the end-of-turn actions`(order: Int, expected: [String])
    throws
  {
    let runtime = SimulatedRuntime()
    let log = Log()
    let others = [(4, "lower"), (6, "higher")].map { order, name in
      runtime.atEndOfTurn(order: order) { log.append(name) }
    }
    let type = try #require(
      RunLoopTransactionPlugin.patterns.first { $0.manual.name == "transaction" })
    let pattern = try type.init(
      type.manual.resolve([(name: "order", value: .integer(order))]))
    let step = Step("a") { _, _, completion in
      log.append("a")
      completion(.success(.none))
    }
    Run(Step("whole", pattern: pattern, steps: [step]), on: runtime) { _ in }
    runtime.runUntilIdle()
    #expect(log.entries.contains(expected), "\(log.entries)")
    for other in others { other.cancel() }
  }

  @Test func `a failure is the result once all steps have ended`() throws {
    let outcome = try simulate(
      "transaction", [.fail("a", "no"), .work("b", .ms(2)), .fail("c", "not this")])
    #expect("\(try #require(outcome.error))".contains("no"))
    #expect(outcome.recording.times(.finished).last == "whole@2")
  }

  @Test func `after a cancellation no queued step starts`() throws {
    let outcome = try simulate(
      "transaction", (1...5).map { .work("row-\($0)", .ms(2)) },
      with: ["budget": .duration(.ms(2))], cancelAt: .ms(3))
    #expect(outcome.error is CancellationError)
    #expect(outcome.recording.times(.started) == ["whole@0", "row-1@0", "row-2@2"])
  }

  @Test func `a step that commits itself again and again is finally refused, and reported`() throws
  {
    let outcome = try simulate(
      "transaction", [.value("layout", .integer(1)).with("again", .bool(true))],
      with: ["cycle-limit": .integer(5)])
    let error = "\(try #require(outcome.error))"
    #expect(error.contains("“layout” has committed itself again in each of 6 turns"), "\(error)")
    #expect(outcome.recording.misuse == ["commit-cycle"])
    let report = outcome.recording.events.first { $0.kind == .misuse }?.detail ?? ""
    let message = "step “layout” commits itself again whenever it is performed, 6 turns in a row"
    #expect(report.contains(message), "\(report)")
  }

  @Test func `a step that commits itself again is cancelled with its pattern`() throws {
    let outcome = try simulate(
      "transaction",
      [.value("layout", .integer(1)).with("again", .bool(true)), .work("b", .ms(2))],
      with: ["cycle-limit": .integer(1_000_000)], cancelAt: .ms(2))
    #expect(outcome.error is CancellationError, "\(outcome)")
    #expect(outcome.recording.misuse == [])
  }

  @Test func `of the steps with one key only the last one can commit itself again`() throws {
    let outcome = try simulate(
      "transaction",
      [
        .value("a", .integer(1)).with("key", .string("text")).with("again", .bool(true)),
        .value("b", .integer(2)).with("key", .string("text")),
      ], with: ["cycle-limit": .integer(5)])
    #expect(outcome.value == .list([.integer(2), .integer(2)]))
    #expect(outcome.recording.misuse == [])
  }

  @Test func `without steps the result is an empty list`() throws {
    for pattern in ["transaction", "transaction.yy"] {
      #expect(try simulate(pattern, []).value == .list([]))
    }
  }
}
