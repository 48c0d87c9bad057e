public import AsyncPatterns

/// A plugin that has been loaded.
public struct LoadedPlugin: Sendable {
  /// The plugin's own name for itself.
  public var name: String
  /// The plugin's summary, one sentence.
  public var summary: String
  public var patterns: [any AsyncPattern.Type]
  /// The source or object that the plugin was loaded from.
  public var origin: PluginOrigin
  /// The path of the shared object.
  public var object: String
  /// Starts at one, and grows by one each time another object replaces the plugin.
  public var generation: Int
  /// The compiler's output, such as warnings. Empty if nothing was compiled.
  public var diagnostics: String
}

extension LoadedPlugin {
  /// The module that was compiled from its sources. Other sources can import it. Nil if it was not loaded from sources.
  var module: String? {
    guard origin.kind == .file || origin.kind == .folder else { return nil }
    return String(Files.lastComponent(object).dropLast(".so".count))
  }
}
