import Foundation

/// What is known of plugins that are not loaded.
extension PluginLibrary {
  /// Probes plugins that were made, and notes beside the executable which patterns they have.
  ///
  /// - Returns: what is wrong with each, nil where it is well; in the order given.
  public func note(_ plugins: [BuiltPlugin]) async -> [PluginError?] {
    let verdicts = await prober.probe(plugins)
    let good = plugins.compactMap(prober.goodVerdict)
    if Files.make(path.host.plugins) {
      try? Data(good.joined()).write(to: URL(filePath: notes), options: .atomic)
    }
    return verdicts
  }

  /// The plugins on the plugin path by the names of the patterns that they had when they were last found well,
  /// loaded or not: what a plugin has is known for certain only once it is loaded.
  ///
  /// - Complexity: reads a file for each verdict that is kept.
  public func known() -> [String: String] {
    let noted = FileManager.default.contents(atPath: notes).map { [Array($0)] } ?? []
    let names = Set(available().map(\.name))
    var plugins: [String: String] = [:]
    for plugin in (noted + cache.goodVerdicts).flatMap(ProbeRecord.records).compactMap(\.plugin)
    where names.contains(plugin.name) {
      for pattern in plugin.patterns { plugins[pattern.name] = plugin.name }
    }
    return plugins
  }

  private var notes: String { path.host.plugins + "/patterns.jsonl" }

  private var cache: PluginCache { prober.cache }
}
