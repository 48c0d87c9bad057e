@_exported public import CPluginABI

/// A set of patterns that can be loaded together.
///
/// A module exports its plugin through a C symbol, `async_pattern_plugin_<Name>`:
///
/// ```swift
/// @_cdecl("async_pattern_plugin_SerialQueue")
/// public func serialQueuePlugin() -> UnsafePointer<async_pattern_plugin> {
///   async_pattern_handshake { SerialQueuePlugin.describe(to: $0) }
/// }
/// ```
///
/// A plugin in source form needs no entry point: the loader generates it.
public protocol Plugin: Sendable {
  static var name: String { get }
  static var summary: String { get }
  static var patterns: [any AsyncPattern.Type] { get }
}

extension Plugin {
  /// Writes this type to `place`, which has room for one `any Plugin.Type`.
  public static func describe(to place: UnsafeMutableRawPointer?) {
    place?.assumingMemoryBound(to: (any Plugin.Type).self).initialize(to: Self.self)
  }
}
