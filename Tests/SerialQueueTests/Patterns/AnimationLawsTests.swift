import AsyncPatternTesting
import AsyncSimulation
import SerialQueue
import SerialQueuePatterns
import Testing

/// Checks the laws with arguments for which `animate` and `keyframes` take different code paths.
@Suite struct AnimationLawsTests {
  struct Shape: Sendable, CustomTestStringConvertible {
    var pattern: String
    var written: [(name: String?, value: Value)]
    var testDescription: String { "\(pattern) \(written)" }
  }

  static let shapes = [
    Shape(pattern: "animate", written: [("duration", .duration(.zero))]),
    Shape(
      pattern: "animate",
      written: [("delay", .duration(.ms(20))), ("spring", .real(0.5)), ("to", .integer(3))]),
    Shape(pattern: "keyframes", written: [("duration", .duration(.zero))]),
    Shape(
      pattern: "keyframes",
      written: [("delay", .duration(.ms(20))), ("mode", .string("cubic-paced"))]),
  ]

  @Test(arguments: shapes) func `the laws hold`(_ shape: Shape) async throws {
    let type = try #require(
      SerialQueuePlugin.patterns.first { $0.manual.name == shape.pattern })
    let arguments = try type.manual.resolve(shape.written)
    let report = await PatternLaws(of: type, arguments: arguments, schedules: 50).report()
    #expect(report.isAsStated, "\(report)")
  }
}
