public import AsyncPatterns
import Foundation

/// The loaded plugins and their patterns.
///
/// Reading never waits. Loading does not run on the caller's thread. If the task that awaits the loading is cancelled,
/// so is the loading. A plugin is loaded completely or not at all. If loading it again fails, the earlier version stays
/// loaded.
public final class PluginLibrary: Sendable {
  public let path: PluginPath
  /// The names that a pattern must not have, each with its meaning: "a step", "a command".
  public let reserved: [String: String]

  private let builder: PluginBuilder
  let prober: PluginProber
  private let shelf = Locked(PluginShelf())

  public init(path: PluginPath, reserved: [String: String] = [:]) {
    self.path = path
    self.reserved = reserved
    builder = PluginBuilder(host: path.host)
    prober = PluginProber(host: path.host, cache: builder.cache)
  }

  /// The loaded plugins, sorted by name.
  public var plugins: [LoadedPlugin] { shelf.withLock { $0.plugins } }

  /// All loaded patterns by name.
  public var patterns: [String: any AsyncPattern.Type] { shelf.withLock { $0.patterns } }

  /// The loaded plugin that has the pattern with that name.
  public func plugin(ofPattern name: String) -> LoadedPlugin? {
    shelf.withLock { $0.owner(of: name) }
  }

  /// The loaded plugin that calls itself `name`, or whose origin has that name.
  public func plugin(named name: String) -> LoadedPlugin? {
    shelf.withLock { $0.plugin(named: name) }
  }

  /// All plugins on the plugin path, loaded or not.
  public func available() -> [PluginOrigin] { path.available() }

  /// Loads plugins by their names on the plugin path, or by the paths of files, folders, packages or objects.
  ///
  /// They are built in parallel, and one child process probes the new ones. A plugin that is already loaded is loaded
  /// again only if it has changed.
  public func load(_ words: [String]) async -> LoadReport {
    await load(
      words.map { word in (word, Result { () throws(PluginError) in try path.find(word) }) })
  }

  /// Loads all plugins on the plugin path.
  public func loadAll() async -> LoadReport {
    await load(available().map { ($0.name, .success($0)) })
  }

  /// Loads a plugin again from its origin if it has changed.
  public func reload(_ name: String) async throws(PluginError) -> LoadReport.Outcome {
    let origin = try loaded(name).origin
    let outcome = await load([(name, .success(origin))]).entries[0].outcome
    if case .failed(let error) = outcome { throw error }
    return outcome
  }

  /// Removes a plugin and its patterns. Its code stays in memory, so steps that still run keep running.
  @discardableResult
  public func unload(_ name: String) throws(PluginError) -> LoadedPlugin {
    let plugin = try loaded(name)
    shelf.withLock { $0.remove(plugin.name) }
    return plugin
  }

  private func loaded(_ name: String) throws(PluginError) -> LoadedPlugin {
    if let plugin = plugin(named: name) { return plugin }
    let names = plugins.map(\.name)
    let nearest = NearestNames.of(name, among: names)
    throw PluginError(
      .notLoaded,
      "No plugin “\(name)” is loaded"
        + (!nearest.isEmpty
          ? "; did you mean \(nearest.joined(separator: " or "))?"
          : names.isEmpty
            ? ", since none is. Load one with `load NAME`."
            : "; loaded are \(names.joined(separator: ", "))."),
      suggestions: nearest)
  }

  private func load(_ wanted: [(word: String, found: Result<PluginOrigin, PluginError>)]) async
    -> LoadReport
  {
    var outcomes: [LoadReport.Outcome?] = wanted.map {
      if case .failure(let error) = $0.found { .failed(error) } else { nil }
    }
    let found = wanted.indices.filter { outcomes[$0] == nil }
    let made = await builder.build(found.compactMap { try? wanted[$0].found.get() })
    var fresh: [(index: Int, plugin: BuiltPlugin)] = []
    for (index, (origin, result)) in zip(found, made) {
      do throws(PluginError) {
        let built = try OpenedObjects.placed(result.get(), cache: builder.cache)
        if let same = shelf.withLock({ $0.unchanged(built) }) {
          outcomes[index] = .unchanged(same)
          continue
        }
        if origin.kind == .object {
          try PluginImage.checkSanitizers(
            of: built.object, what: "\(origin)", host: path.host.sanitizers)
        }
        fresh.append((index, built))
      } catch {
        outcomes[index] = .failed(error)
      }
    }
    let verdicts = await prober.probe(fresh.map(\.plugin))
    for ((index, built), refusal) in zip(fresh, verdicts) {
      do throws(PluginError) {
        if let refusal { throw refusal }
        // A caller that has been cancelled wants nothing loaded.
        if Task.isCancelled { throw .cancelled }
        outcomes[index] = try open(built)
      } catch {
        outcomes[index] = .failed(error)
      }
    }
    return LoadReport(
      entries: zip(wanted, outcomes).map { wanted, outcome in
        LoadReport.Entry(
          word: wanted.word,
          outcome: saying(whatStays: wanted.found, outcome ?? .failed(.cancelled)))
      })
  }

  /// Adds to the message of a failure that the earlier version from the same origin stays loaded, if there is one.
  private func saying(
    whatStays found: Result<PluginOrigin, PluginError>, _ outcome: LoadReport.Outcome
  ) -> LoadReport.Outcome {
    guard case .failed(var error) = outcome, error.kind != .cancelled,
      let origin = try? found.get(), let kept = shelf.withLock({ $0.plugin(from: origin) })
    else { return outcome }
    error.message += " The \(kept.name) that was loaded before stays loaded."
    return .failed(error)
  }

  private func open(_ built: BuiltPlugin) throws(PluginError) -> LoadReport.Outcome {
    let plugin = try PluginImage.open(
      built.object, entryPoint: built.entryPoint, what: "\(built.origin)")
    OpenedObjects.note(built.object)
    // The plugin's code runs here, before the lock is taken.
    let patterns = plugin.patterns.map { (name: $0.manual.name, type: $0) }
    let loaded = LoadedPlugin(
      name: plugin.name, summary: plugin.summary, patterns: patterns.map(\.type),
      origin: built.origin, object: built.object, generation: 1, diagnostics: built.diagnostics)
    try PatternNames.check(patterns.map(\.name), of: loaded, reserved: reserved)
    return try shelf.withLock { (shelf) throws(PluginError) in
      // Another task may have loaded the same plugin in the meantime.
      if let same = shelf.unchanged(built) { return .unchanged(same) }
      return .loaded(try shelf.put(loaded, patterns: patterns))
    }
  }
}
