/// The results of loading several plugins together, in the order in which they were requested.
public struct LoadReport: Sendable {
  public enum Outcome: Sendable {
    /// The plugin was loaded. If it was loaded before, it replaced its earlier version.
    case loaded(LoadedPlugin)
    /// The plugin was already loaded and has not changed since.
    case unchanged(LoadedPlugin)
    /// The plugin was not loaded. If an earlier version is loaded, it stays loaded.
    case failed(PluginError)
  }

  public struct Entry: Sendable {
    /// The name or path that was requested.
    public var word: String
    public var outcome: Outcome
  }

  public var entries: [Entry]

  /// The requested plugins that are loaded now.
  public var plugins: [LoadedPlugin] {
    entries.compactMap {
      switch $0.outcome {
      case .loaded(let plugin), .unchanged(let plugin): plugin
      case .failed: nil
      }
    }
  }

  public var failures: [PluginError] {
    entries.compactMap { if case .failed(let error) = $0.outcome { error } else { nil } }
  }
}
