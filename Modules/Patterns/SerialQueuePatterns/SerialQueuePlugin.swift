public import AsyncPatterns
import SerialQueue

/// The serial patterns: this library's queue, its handler chain, the older ways that these two replace, and its
/// animations.
public struct SerialQueuePlugin: Plugin {
  public static let name = "SerialQueue"
  public static let summary = "One step after another: without and with a blocked thread."
  public static let patterns: [any AsyncPattern.Type] = [
    SerialPattern.self, BlockingSerialPattern.self, ChainPattern.self, NestedPattern.self,
    AnimatePattern.self, KeyframesPattern.self,
  ]
}

@_cdecl("async_pattern_plugin_SerialQueue")
public func serialQueuePlugin() -> UnsafePointer<async_pattern_plugin> {
  async_pattern_handshake { SerialQueuePlugin.describe(to: $0) }
}
