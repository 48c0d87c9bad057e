import AsyncPatternTesting
import PromisesPatterns
import Testing

/// Checks that the patterns of promises keep their laws with any arguments.
@Suite struct PromiseArgumentsTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let pattern: String
    let arguments: Arguments

    init(_ pattern: String, _ arguments: Arguments) {
      (self.pattern, self.arguments) = (pattern, arguments)
    }

    var testDescription: String {
      let written = arguments.names.map { "\($0): \(arguments[$0] ?? .none)" }
      return "\(pattern)(\(written.joined(separator: ", ")))"
    }
  }

  static let rows =
    ["main", "pool"].flatMap { place in
      [
        Row("promise", ["on": .string(place)]), Row("task", ["executor": .string(place)]),
      ]
    } + [
      Row("all", ["others": .string("continue")]), Row("any", ["others": .string("continue")]),
      Row("race", ["others": .string("continue")]),
      Row("all", ["others": .string("continue"), "limit": .integer(2)]),
      Row("all", ["limit": .integer(1)]), Row("any", ["limit": .integer(1)]),
      Row("settled", ["limit": .integer(1)]), Row("recover", ["from": .string("fail")]),
      Row("timeout", ["limit": .duration(.milliseconds(5)), "value": .string("late")]),
      Row("delay", ["by": .duration(.milliseconds(5))]), Row("delay", ["by": .duration(.zero)]),
    ]
    + ["none", "half", "full"].map { jitter in
      Row(
        "retry",
        [
          "count": .integer(3), "delay": .duration(.milliseconds(5)), "backoff": .real(2),
          "limit": .duration(.milliseconds(8)), "jitter": .string(jitter),
        ])
    }

  @Test(arguments: rows)
  func `the laws hold`(_ row: Row) async throws {
    let type = try #require(PromisesPlugin.patterns.first { $0.manual.name == row.pattern })
    let report = await PatternLaws(of: type, arguments: row.arguments, schedules: 100).report()
    #expect(report.isAsStated, "\(report)")
  }
}
