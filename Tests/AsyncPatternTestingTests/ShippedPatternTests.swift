import AsyncPatternTesting
import AsyncRender
import AsyncRenderPatterns
import OperationGraph
import OperationGraphPatterns
import PromisesPatterns
import RunLoopTransaction
import RunLoopTransactionPatterns
import SerialQueuePatterns
import Testing

/// Checks that each pattern of these modules behaves as its manual says.
@Suite struct ShippedPatternTests {
  static let plugins: [any Plugin.Type] = [
    SerialQueuePlugin.self, PromisesPlugin.self, OperationGraphPlugin.self,
    RunLoopTransactionPlugin.self, AsyncRenderPlugin.self,
  ]

  @Test(arguments: plugins.flatMap { $0.patterns.map(Subject.init) })
  func `a pattern behaves as its manual says`(_ subject: Subject) async {
    let report = await PatternLaws(of: subject.pattern).report()
    #expect(report.isAsStated, "\(report)")
  }
}

/// A pattern that is shown by its name in test results.
struct Subject: Sendable, CustomTestStringConvertible {
  let pattern: any AsyncPattern.Type

  var testDescription: String { pattern.manual.name }
}
