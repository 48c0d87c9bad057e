public import AsyncPatterns
import AsyncRender

/// The rendering patterns: a label drawn off the main thread, on the main thread, and as in YYAsyncLayer.
public struct AsyncRenderPlugin: Plugin {
  public static let name = "AsyncRender"
  public static let summary =
    "Drawing off the main thread, cancelled when it is no longer needed."
  public static let patterns: [any AsyncPattern.Type] = [
    RenderPattern.self, SynchronousRenderPattern.self, OriginalRenderPattern.self,
  ]
}

@_cdecl("async_pattern_plugin_AsyncRender")
public func asyncRenderPlugin() -> UnsafePointer<async_pattern_plugin> {
  async_pattern_handshake { AsyncRenderPlugin.describe(to: $0) }
}
