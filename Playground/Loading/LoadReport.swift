/// What became of several plugins that were loaded together, in the order they were asked for.
public struct LoadReport: Sendable {
  public enum Outcome: Sendable {
    /// It was loaded, or took the place of what it was before its source changed.
    case loaded(LoadedPlugin)
    /// It was loaded already and has not changed since.
    case unchanged(LoadedPlugin)
    /// It was not loaded; what it was before, if anything, stays.
    case failed(PluginError)
  }

  public struct Entry: Sendable {
    /// What was asked for.
    public var word: String
    public var outcome: Outcome
  }

  public var entries: [Entry]

  /// What is loaded now of what was asked for.
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
