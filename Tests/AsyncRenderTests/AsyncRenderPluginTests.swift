import AsyncRender
import AsyncRenderPatterns
import Testing

@Suite struct AsyncRenderPluginTests {
  @Test func aPluginIsNamedAfterItsModule() { #expect(AsyncRenderPlugin.name == "AsyncRender") }
}
