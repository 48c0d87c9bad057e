import RunLoopTransaction
import RunLoopTransactionPatterns
import Testing

@Suite struct RunLoopTransactionPluginTests {
  @Test func `the plugin is named after its module`() {
    #expect(RunLoopTransactionPlugin.name == "RunLoopTransaction")
  }
}
