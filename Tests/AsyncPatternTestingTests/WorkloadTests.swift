import AsyncPatternTesting
import Testing

/// Checks that the arguments and steps of a test run are generated from a pattern's manual.
@Suite struct WorkloadTests {
  /// Requires arguments of every kind and two steps, each with an option.
  struct Demanding: AsyncPattern {
    static let manual = Manual(
      name: "demanding", summary: "Needs a lot.",
      parameters: [
        Parameter("count", .integer(5...9), isRequired: true),
        Parameter("delay", .duration, isRequired: true),
        Parameter("mode", .word(["slow", "fast"]), isRequired: true),
        Parameter("name", .string, isRequired: true), Parameter("size", .size, isRequired: true),
        Parameter("factor", .real, isRequired: true), Parameter("flag", .bool, isRequired: true),
        Parameter("curve", .curve, isRequired: true), Parameter("any", .value, isRequired: true),
        Parameter("width", .integer(1...8)),
      ],
      steps: .exactly(2), stepOptions: [Parameter("weight", .integer(1...3), isRequired: true)])

    static let made = Locked<Set<Arguments>>([])

    init(_ arguments: Arguments) { Self.made.withLock { _ = $0.insert(arguments) } }

    func validate(_ steps: [Step]) throws {
      try Self.manual.validate(steps)
      for step in steps { _ = try step.options.integer("weight") }
    }

    func start(
      _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
    ) {
      completion(.success(input))
    }
  }

  @Test func `arguments and steps are generated`() async {
    let verdict = await PatternLaws(of: Demanding.self).completesExactlyOnce()
    #expect(verdict.judgement == .kept, "\(verdict)")
    let made = Demanding.made.withLock { $0 }
    #expect(
      Set(made.map { $0["width"] }) == [nil, .integer(2)], "with and without the optional one")
    #expect(made.allSatisfy { $0["count"] == .integer(5) && $0["mode"] == .string("slow") })
    #expect(made.allSatisfy { $0["delay"] == .duration(.milliseconds(1)) })
  }

  @Test func `arguments that the caller passes are used`() async {
    struct Picky: AsyncPattern {
      static let manual = Manual(
        name: "picky", summary: "Takes one address only.",
        parameters: [Parameter("address", .string, isRequired: true)], steps: .none)

      init(_ arguments: Arguments) throws {
        guard try arguments.string("address") == "here" else {
          throw ArgumentError("that is not an address")
        }
      }

      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        completion(.success(input))
      }
    }
    let made = await PatternLaws(of: Picky.self).completesExactlyOnce()
    #expect(made.judgement == .skipped)
    #expect(made.remark?.contains("that is not an address") == true)
    let given = await PatternLaws(of: Picky.self, arguments: ["address": .string("here")]).report()
    #expect(given.verdicts.allSatisfy { $0.judgement == .kept }, "\(given)")
  }

  /// Runs on the live clock only and ignores its steps.
  struct Elsewhere: AsyncPattern {
    static let manual = Manual(name: "elsewhere", summary: "Lives.", clocks: [.live])
    init(_ arguments: Arguments) {}
    func start(
      _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
    ) {}
  }

  struct Refusing: AsyncPattern {
    static let manual = Manual(name: "refusing", summary: "Takes nothing.")
    init(_ arguments: Arguments) {}
    func validate(_ steps: [Step]) throws { throw CompositionError("not these") }
    func start(
      _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
    ) {}
  }

  @Test(arguments: [
    (Elsewhere.self as any AsyncPattern.Type, "it does not run on the virtual clock"),
    (Refusing.self, "it rejects the generated steps: not these"),
  ])
  func `an unusable pattern is skipped`(_ pattern: any AsyncPattern.Type, _ remark: String) async {
    let report = await PatternLaws(of: pattern).report()
    #expect(report.verdicts.allSatisfy { $0.judgement == .skipped && $0.remark == remark })
    #expect(report.isAsStated)
  }
}
