import AsyncRender
import AsyncRenderPatterns
import Testing

@Suite struct AsyncRenderPluginTests {
  @Test func `the plugin is named after its module`() {
    #expect(AsyncRenderPlugin.name == "AsyncRender")
  }
}
