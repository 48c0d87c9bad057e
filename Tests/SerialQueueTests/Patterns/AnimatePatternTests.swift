import AsyncSimulation
import SerialAnimation
import SerialQueue
import SerialQueuePatterns
import Testing

@Suite struct AnimatePatternTests {
  private func animate(
    _ written: [(name: String?, value: Value)] = [], cancelAt: Duration? = nil, seed: UInt64 = 0
  ) throws -> Outcome {
    let type = try #require(SerialQueuePlugin.patterns.first { $0.manual.name == "animate" })
    return try simulate(
      "animate", of: SerialQueuePlugin.self, [], with: try type.manual.resolve(written),
      seed: seed, cancelAt: cancelAt)
  }

  @Test func `by default the animation goes from 0 to 1`() throws {
    let outcome = try animate()
    #expect(outcome.value == .real(1))
    #expect(outcome.recording.times(.finished) == ["whole@300"])
    let counters = outcome.recording.counters
    #expect(Set(counters.map(\.name)) == ["opacity"])
    // These are frames 0 to 18 at 60 hertz. The last one is the end.
    #expect(counters.count == 19)
    #expect(counters.first?.number == 0 && counters.last?.number == 1)
    #expect(counters.map(\.number) == counters.map(\.number).sorted())
    let middle = counters.first { $0.time.nanoseconds == 150_000_000 }
    #expect(middle.map { abs($0.number - 0.5) < 1e-9 } == true)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var written: [(name: String?, value: Value)]
    var end: Int
    /// The number at 100 ms after the delay.
    var hundred: Double
    var last: Double
    var testDescription: String { "\(written)" }
  }

  static let cases = [
    Case(written: [(nil, .duration(.ms(200)))], end: 200, hundred: 0.5, last: 1),
    Case(
      written: [
        ("duration", .duration(.ms(400))), ("delay", .duration(.ms(50))),
        ("curve", .string("ease-in")), ("from", .integer(10)), ("to", .real(250)),
        ("property", .string("x")),
      ], end: 450, hundred: 10 + 240 * TimingCurve.easeIn.value(at: 0.25), last: 250),
    Case(
      written: [(nil, .duration(.ms(200))), ("curve", .curve(0, 1, 0, 1))], end: 200,
      hundred: TimingCurve(x1: 0, y1: 1, x2: 0, y2: 1).value(at: 0.5), last: 1),
    Case(
      written: [(nil, .duration(.ms(500))), ("spring", .real(0.3))], end: 500,
      hundred: Spring(dampingRatio: 0.3, duration: .ms(500)).value(at: 0.1), last: 1),
    Case(
      written: [(nil, .duration(.ms(200))), ("from", .integer(1)), ("to", .integer(0))], end: 200,
      hundred: 0.5, last: 0),
  ]

  @Test(arguments: cases) func `numbers and the end follow the arguments`(_ it: Case) throws {
    let outcome = try animate(it.written)
    #expect(outcome.value == .real(it.last))
    #expect(outcome.recording.times(.finished) == ["whole@\(it.end)"])
    let delay = it.written.first { $0.name == "delay" } == nil ? 0 : 50_000_000
    let counter = outcome.recording.counters.first {
      $0.time.nanoseconds == delay + 100_000_000
    }
    #expect(counter.map { abs($0.number - it.hundred) < 1e-9 } == true)
  }

  @Test(arguments: [Duration.zero, .ms(1)]) func `a short one records start and end`(
    duration: Duration
  ) throws {
    let outcome = try animate([(nil, .duration(duration))])
    #expect(outcome.recording.counters.map(\.number) == [0, 1])
    #expect(outcome.recording.times(.finished) == ["whole@\(Int(duration / .ms(1)))"])
  }

  @Test func `a long animation does not flood the trace`() throws {
    let outcome = try animate([(nil, .duration(.seconds(100 * 365 * 86_400)))])
    #expect(outcome.value == .real(1))
    #expect((900...1100).contains(outcome.recording.counters.count))
  }

  @Test(arguments: [0, 1, 30]) func `cancelling ends it with its current number`(
    _ seed: UInt64
  ) throws {
    let outcome = try animate(
      [(nil, .duration(.ms(200))), ("curve", .string("linear"))], cancelAt: .ms(50), seed: seed)
    #expect(outcome.error is CancellationError)
    #expect(outcome.recording.times(.finished) == ["whole@50"])
    #expect(outcome.recording.counters.last?.number == 0.25)
    #expect(outcome.recording.events.last?.time.nanoseconds == 50_000_000)
  }

  @Test func `cancelling also ends the delay`() throws {
    let outcome = try animate([("delay", .duration(.seconds(3)))], cancelAt: .ms(50))
    #expect(outcome.error is CancellationError)
    #expect(outcome.recording.times(.finished) == ["whole@50"])
  }

  @Test func `the serial pattern runs animations one after another`() throws {
    let fadeIn = try step("fadeIn", [:])
    let fadeOut = try step("fadeOut", ["from": .real(1), "to": .real(0)])
    let outcome = try simulate("serial", [fadeIn, .sleep("pause", .seconds(3)), fadeOut])
    #expect(outcome.value == .real(0))
    #expect(
      outcome.recording.times(.finished) == [
        "fadeIn@300", "pause@3300", "fadeOut@3600", "whole@3600",
      ])
    #expect(!outcome.recording.events.contains { $0.kind == .blocked })
  }

  private func step(_ label: String, _ arguments: [String: Value]) throws -> Step {
    let type = try #require(SerialQueuePlugin.patterns.first { $0.manual.name == "animate" })
    let written = arguments.map { (name: String?.some($0.key), value: $0.value) }
    return Step(label, pattern: try type.init(type.manual.resolve(written)), steps: [])
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var name: String
    var value: Value
    var says: String
    var testDescription: String { "\(name): \(value)" }
  }

  static let refusals = [
    Refusal(name: "duration", value: .duration(.ms(-5)), says: "0 or more, not -5ms"),
    Refusal(name: "delay", value: .duration(.ms(-5)), says: "0 or more"),
    Refusal(
      name: "curve", value: .string("bouncy"), says: "ease-in-out or a curve, not \"bouncy\""),
    Refusal(name: "curve", value: .curve(1.5, 0, 0, 1), says: "between 0 and 1, not 1.5"),
    Refusal(name: "curve", value: .curve(0, 0, .nan, 1), says: "between 0 and 1"),
    Refusal(name: "spring", value: .integer(0), says: "above 0"),
    Refusal(name: "spring", value: .real(-1), says: "above 0"),
    Refusal(name: "property", value: .string(""), says: "a name"),
    Refusal(name: "to", value: .real(.infinity), says: "a finite number"),
    Refusal(name: "from", value: .real(.nan), says: "a finite number"),
  ]

  @Test(arguments: refusals) func `invalid arguments are refused`(_ refusal: Refusal) throws {
    let error = #expect(throws: ArgumentError.self) {
      _ = try animate([(refusal.name, refusal.value)])
    }
    #expect(error?.message.contains(refusal.says) == true, "\(String(describing: error))")
    #expect(error?.parameter == refusal.name)
  }

  @Test func `a curve and a spring cannot be combined`() throws {
    let error = #expect(throws: ArgumentError.self) {
      _ = try animate([("curve", .string("ease")), ("spring", .real(0.5))])
    }
    #expect(error?.message.contains("not both") == true)
  }

  @Test func `very large numbers do not overflow`() throws {
    let far = Value.real(.greatestFiniteMagnitude)
    let outcome = try animate([("from", .real(-.greatestFiniteMagnitude)), ("to", far)])
    #expect(outcome.value == far)
    #expect(outcome.recording.counters.allSatisfy { $0.number.isFinite })
  }
}

extension Recording {
  /// The counter events, in order.
  var counters: [TraceEvent] { events.filter { $0.kind == .counter } }
}
