import AsyncSimulation
import SerialQueue
import SerialQueuePatterns
import Testing

@Suite struct KeyframesPatternTests {
  private func keyframes(
    _ steps: [Step], _ written: [(name: String?, value: Value)] = [], input: Value = .none,
    cancelAt: Duration? = nil
  ) throws -> Outcome {
    let type = try #require(SerialQueuePlugin.patterns.first { $0.manual.name == "keyframes" })
    let arguments = try type.manual.resolve(written)
    try type.init(arguments).validate(steps)
    return try simulate(
      "keyframes", of: SerialQueuePlugin.self, steps, with: arguments, input: input,
      cancelAt: cancelAt)
  }

  private func number(at milliseconds: Int, in outcome: Outcome) -> Double? {
    outcome.recording.counters.last { $0.time.nanoseconds == milliseconds * 1_000_000 }?.number
  }

  private static let upAndDown: [Step] = [.value("up", .integer(1)), .value("down", .integer(0))]

  @Test func `each step animates one part of the duration`() throws {
    let outcome = try keyframes(Self.upAndDown)
    #expect(outcome.value == .real(0))
    #expect(outcome.recording.times(.finished) == ["up@0", "down@0", "animation@600", "whole@600"])
    #expect(number(at: 150, in: outcome) == 0.5)
    #expect(number(at: 300, in: outcome) == 1)
    #expect(number(at: 450, in: outcome) == 0.5)
    #expect(outcome.recording.counters.last?.number == 0)
  }

  @Test
  func `steps start after the delay, each with the previous value as input, and on the main lane`()
    throws
  {
    let outcome = try keyframes(
      [increment("a"), increment("b")], [("delay", .duration(.ms(50))), ("from", .integer(3))],
      input: .integer(3))
    #expect(outcome.value == .real(5))
    #expect(outcome.recording.times(.started) == ["whole@0", "a@50", "b@50", "animation@50"])
    #expect(outcome.recording.times(.finished) == ["a@50", "b@50", "animation@650", "whole@650"])
    let lanes = outcome.recording.events.filter { $0.kind == .started }.dropFirst().map(\.lane)
    #expect(lanes == [.main, .main, .main])
    #expect(number(at: 50, in: outcome) == 3)
    #expect(number(at: 350, in: outcome) == 4)
  }

  @Test func `the animation starts when all steps have completed`() throws {
    var slow = Self.upAndDown
    slow.insert(.sleep("wait", .ms(20)), at: 1)
    let outcome = try keyframes(slow, [(nil, .duration(.ms(100)))])
    #expect(outcome.recording.times(.finished).last == "whole@320")
    #expect(outcome.value == .real(0))
  }

  @Test func `steps may set their own times`() throws {
    var steps = Self.upAndDown
    steps[0].options = ["lasts": .real(0.1)]
    steps[1].options = ["at": .real(0.9), "lasts": .real(0.1)]
    let outcome = try keyframes(steps, [(nil, .duration(.ms(500)))])
    #expect(number(at: 50, in: outcome) == 0.5)
    #expect(number(at: 100, in: outcome) == 1)
    #expect(number(at: 900, in: outcome) == 1)
    #expect(try abs(#require(number(at: 950, in: outcome)) - 0.5) < 1e-9)
  }

  @Test func `an extremely long duration ends at the time limit`() throws {
    let steps = (0..<100).map { Step.value("step-\($0)", .integer($0)) }
    let outcome = try keyframes(steps, [(nil, .duration(.seconds(Int64.max)))])
    #expect(outcome.value == .real(99))
  }

  static let modes: [(String, Double)] = [
    ("linear", 0.5), ("discrete", 0), ("paced", 0.5), ("cubic", 0.625), ("cubic-paced", 0.5),
  ]

  @Test(arguments: modes) func `numbers follow the calculation mode`(
    mode: String, quarter: Double
  ) throws {
    let outcome = try keyframes(Self.upAndDown, [("mode", .string(mode))])
    #expect(try abs(#require(number(at: 150, in: outcome)) - quarter) < 1e-6)
    #expect(outcome.value == .real(0))
  }

  @Test func `a step that fails is the result, and nothing is animated`() throws {
    let outcome = try keyframes([.value("a", .integer(1)), .fail("b", "no"), .value("c", .none)])
    #expect(outcome.error as? StepFailure == StepFailure("no"))
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "b@0"])
    #expect(outcome.recording.events.last?.time == .zero)
  }

  static let strangers: [(Value, String)] = [
    (.none, "yields nothing"), (.string("high"), "yields \"high\""), (.real(.nan), "yields nan"),
    (.bool(true), "yields true"),
  ]

  @Test(arguments: strangers) func `a value that is not a number fails clearly`(
    value: Value, says: String
  ) throws {
    let outcome = try keyframes([.value("a", .integer(1)), .value("b", value)])
    let failure = try #require(outcome.error as? StepFailure)
    #expect(failure.reason.hasPrefix("“b” \(says)"))
    #expect(failure.reason.contains("value 0.5"))
  }

  @Test(arguments: [(50, "whole@50"), (20, "whole@20")]) func `cancelling ends it immediately`(
    milliseconds: Int, end: String
  ) throws {
    let outcome = try keyframes(
      Self.upAndDown, [(nil, .duration(.ms(100))), ("delay", .duration(.ms(25)))],
      cancelAt: .ms(milliseconds))
    #expect(outcome.error is CancellationError)
    #expect(outcome.recording.times(.finished).last == end)
    #expect(outcome.recording.counters.last?.number == (milliseconds == 50 ? 0.25 : 0))
  }

  static let refusals: [([String: Double], String)] = [
    (["at": 1.5], "0% to 100%, not 1.5"), (["lasts": -0.1], "0% to 100%"),
    (["at": 0.9, "lasts": 0.2], "begins at 90% and lasts 20%"), (["at": .nan], "0% to 100%"),
  ]

  @Test(arguments: refusals) func `key frames outside of the duration are refused before the run`(
    options: [String: Double], says: String
  ) throws {
    var steps = Self.upAndDown
    for (name, number) in options { steps[1].options[name] = .real(number) }
    let error = #expect(throws: CompositionError.self) { _ = try keyframes(steps) }
    #expect(error?.step == "down")
    #expect(error?.message.contains(says) == true, "\(String(describing: error))")
  }

  @Test func `without steps the pattern is refused`() throws {
    let error = #expect(throws: CompositionError.self) { _ = try keyframes([]) }
    #expect(error?.message == "“keyframes” takes at least 1 step, not 0")
  }
}
