public import AsyncPatterns

/// A plugin that has been loaded.
public struct LoadedPlugin: Sendable {
  /// What the plugin calls itself.
  public var name: String
  /// One sentence.
  public var summary: String
  public var patterns: [any AsyncPattern.Type]
  /// What it was loaded from.
  public var origin: PluginOrigin
  /// The shared object.
  public var object: String
  /// One, and one more for each time another object took its place.
  public var generation: Int
  /// What the compiler said while it was made, warnings say; empty where nothing was made.
  public var diagnostics: String
}
