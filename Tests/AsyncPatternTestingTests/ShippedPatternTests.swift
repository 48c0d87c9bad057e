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

/// The patterns of the modules here are as their manuals say.
@Suite struct ShippedPatternTests {
  static let plugins: [any Plugin.Type] = [
    SerialQueuePlugin.self, PromisesPlugin.self, OperationGraphPlugin.self,
    RunLoopTransactionPlugin.self, AsyncRenderPlugin.self,
  ]

  @Test(arguments: plugins.flatMap { $0.patterns.map(Subject.init) })
  func `a pattern is as its manual says`(_ subject: Subject) async {
    let report = await PatternLaws(of: subject.pattern).report()
    #expect(report.isAsStated, "\(report)")
  }
}

/// A pattern, called by its name in what the tests say.
struct Subject: Sendable, CustomTestStringConvertible {
  let pattern: any AsyncPattern.Type

  var testDescription: String { pattern.manual.name }
}
