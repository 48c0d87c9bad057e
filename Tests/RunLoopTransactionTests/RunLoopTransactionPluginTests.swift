import RunLoopTransaction
import RunLoopTransactionPatterns
import Testing

@Suite struct RunLoopTransactionPluginTests {
  @Test func aPluginIsNamedAfterItsModule() {
    #expect(RunLoopTransactionPlugin.name == "RunLoopTransaction")
  }
}
