import RunLoopTransaction
import RunLoopTransactionPatterns
import Testing

@Suite struct RunLoopTransactionPluginTests {
  @Test func itIsCalledAfterItsModule() {
    #expect(RunLoopTransactionPlugin.name == "RunLoopTransaction")
  }
}
