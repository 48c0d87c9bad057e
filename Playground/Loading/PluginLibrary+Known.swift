import Foundation

/// Information about plugins that are not loaded.
extension PluginLibrary {
  /// Probes built plugins, and records their patterns in a file beside the executable.
  ///
  /// - Returns: the error of each plugin, nil if the plugin was accepted; in the order given.
  public func note(_ plugins: [BuiltPlugin]) async -> [PluginError?] {
    let verdicts = await prober.probe(plugins)
    let good = plugins.compactMap(prober.goodVerdict)
    if Files.make(path.host.plugins, mode: 0o777) {
      try? Data(good.joined()).write(to: URL(filePath: notes), options: .atomic)
    }
    return verdicts
  }

  /// The plugins on the plugin path, loaded or not, by the names of their patterns. The patterns are those found by the
  /// last probe that accepted the plugin. Only loading a plugin shows its current patterns.
  ///
  /// - Complexity: reads one file for each stored verdict.
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
