import AsyncPatternTesting
import AsyncSimulation
import SerialQueue
import SerialQueuePatterns
import Testing

/// Tests `serial` with a width, with a timeout, and with a failure policy that continues.
@Suite struct SerialArgumentsTests {
  @Test func `with a width steps start in order and run at the same time`() throws {
    let outcome = try simulate(
      "serial", [.sleep("a", .ms(30)), .sleep("b", .ms(10)), .sleep("c", .ms(10))],
      with: ["width": .integer(2)], input: .integer(7))
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "b@0", "c@10"])
    #expect(outcome.value == .list([.integer(7), .integer(7), .integer(7)]))
  }

  @Test func `with a width a dependency is refused`() throws {
    let pattern = try SerialQueuePlugin.patterns[0].init(["width": .integer(2)])
    var steps: [Step] = [.sleep("a", .ms(1)), .sleep("b", .ms(1))]
    try pattern.validate(steps)
    steps[1].predecessors = ["a"]
    #expect(throws: CompositionError.self) { try pattern.validate(steps) }
  }

  @Test(arguments: [1, 2]) func `with any width a failure stops`(_ width: Int) throws {
    let steps: [Step] = [.value("a", .integer(1)), .fail("b", "no"), .value("c", .integer(3))]
    let outcome = try simulate("serial", steps, with: ["width": .integer(width)])
    #expect(outcome.error as? StepFailure == StepFailure("no"))
  }

  @Test func `with continue, the next input is the last value, and the result the first failure`()
    throws
  {
    let inputs = Locked<[Value]>([])
    let note = Step("note") { input, _, completion in
      inputs.withLock { $0.append(input) }
      completion(.success(input))
    }
    let outcome = try simulate(
      "serial", [.value("a", .integer(1)), .fail("b", "first"), note, .fail("d", "second")],
      with: ["on-failure": .string("continue")])
    #expect(inputs.withLock { $0 } == [.integer(1)])
    #expect(outcome.error as? StepFailure == StepFailure("first"))
    #expect(outcome.recording.times(.started).count == 5)
  }

  @Test(arguments: [1, 2]) func `a step times out`(_ width: Int) throws {
    let outcome = try simulate(
      "serial", [.never("a"), .sleep("b", .ms(5)), .sleep("c", .ms(5))],
      with: [
        "width": .integer(width), "timeout": .duration(.ms(10)), "on-failure": .string("continue"),
      ])
    // The author of the step knows its label, but not the queue behind it.
    #expect(outcome.error as? TimedOut == TimedOut("a", after: .ms(10)))
    #expect(outcome.recording.times(.finished).contains("a@10"))
    #expect(outcome.recording.times(.finished).last == (width == 1 ? "whole@20" : "whole@10"))
    #expect(outcome.recording.misuse.isEmpty)
  }

  @Test func `without continue, a step that times out is the last one`() throws {
    let outcome = try simulate(
      "serial", [.sleep("a", .ms(50)), .sleep("b", .ms(5))],
      with: ["timeout": .duration(.ms(10))])
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0"])
    #expect(outcome.recording.times(.finished) == ["a@10", "whole@10"])
  }

  // MARK: Laws

  @Test func `the laws hold with a timeout`() async {
    let laws = PatternLaws(
      of: SerialQueuePlugin.patterns[0], arguments: ["timeout": .duration(.seconds(3_600))],
      schedules: 100)
    let report = await laws.report()
    #expect(report.isAsStated, "\(report)")
  }

  static let variants: [any AsyncPattern.Type] = [Wide.self, Continuing.self, WideContinuing.self]

  @Test(arguments: variants.map(Variant.init))
  func `the laws hold for serial with arguments`(_ variant: Variant) async {
    let report = await PatternLaws(of: variant.pattern, schedules: 100).report()
    #expect(report.isAsStated, "\(report)")
  }

  struct Variant: Sendable, CustomTestStringConvertible {
    let pattern: any AsyncPattern.Type
    var testDescription: String { pattern.manual.name }
  }
}

/// `serial` with arguments for which its steps run at the same time or continue after a failure. These need a different
/// manual.
private protocol SerialVariant: AsyncPattern {
  static var fixed: Arguments { get }
  var pattern: any AsyncPattern { get }
}

extension SerialVariant {
  fileprivate static func variant(
    _ name: String, _ flow: Manual.Flow, _ failure: FailureBehavior
  ) -> Manual {
    var manual = SerialQueuePlugin.patterns[0].manual
    manual.name = name
    manual.parameters = []
    manual.flow = flow
    manual.failure = failure
    return manual
  }

  fileprivate static func make() throws -> any AsyncPattern {
    try SerialQueuePlugin.patterns[0].init(fixed)
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    pattern.start(steps, input: input, in: scope, completion: completion)
  }
}

private struct Wide: SerialVariant {
  static let manual: Manual = variant("serial-wide", .sideBySide, .stops)
  static let fixed: Arguments = ["width": .integer(2)]
  let pattern: any AsyncPattern
  init(_ arguments: Arguments) throws { pattern = try Self.make() }
}

private struct Continuing: SerialVariant {
  static let manual: Manual = variant("serial-continuing", .sequence, .waits)
  static let fixed: Arguments = ["on-failure": .string("continue")]
  let pattern: any AsyncPattern
  init(_ arguments: Arguments) throws { pattern = try Self.make() }
}

private struct WideContinuing: SerialVariant {
  static let manual: Manual = variant("serial-wide-continuing", .sideBySide, .waits)
  static let fixed: Arguments = ["width": .integer(3), "on-failure": .string("continue")]
  let pattern: any AsyncPattern
  init(_ arguments: Arguments) throws { pattern = try Self.make() }
}
