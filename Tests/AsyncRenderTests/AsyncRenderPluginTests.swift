import AsyncRender
import AsyncRenderPatterns
import Testing

@Suite struct AsyncRenderPluginTests {
  @Test func itIsCalledAfterItsModule() { #expect(AsyncRenderPlugin.name == "AsyncRender") }
}
