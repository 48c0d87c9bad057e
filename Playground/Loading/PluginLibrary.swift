public import AsyncPatterns
import Foundation

/// The plugins that are loaded, and the patterns they brought.
///
/// Reading never waits; loading happens off the caller's thread and can be cancelled with the task
/// that awaits it. A plugin is loaded wholly or not at all, and one that fails to load again stays
/// what it was.
public final class PluginLibrary: Sendable {
  public let path: PluginPath
  /// What a pattern may not be called, each with what it is: "a step", "a command".
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

  /// What is loaded, by name.
  public var plugins: [LoadedPlugin] { shelf.withLock { $0.plugins } }

  /// Every pattern loaded, by its name.
  public var patterns: [String: any AsyncPattern.Type] { shelf.withLock { $0.patterns } }

  /// The pattern of that name, if a loaded plugin has it. O(1).
  public func pattern(named name: String) -> (any AsyncPattern.Type)? {
    shelf.withLock { $0.patterns[name] }
  }

  /// The plugin that brought the pattern of that name.
  public func plugin(ofPattern name: String) -> LoadedPlugin? {
    shelf.withLock { $0.owner(of: name) }
  }

  /// The loaded plugin that calls itself `name`, or that was loaded by it.
  public func plugin(named name: String) -> LoadedPlugin? {
    shelf.withLock { $0.plugin(named: name) }
  }

  /// Everything on the plugin path, loaded or not.
  public func available() -> [PluginOrigin] { path.available() }

  /// Loads a plugin by its name on the plugin path or by the path of a file, folder, package or object.
  ///
  /// One that is loaded already and has changed is loaded again; one that has not stays as it is.
  @discardableResult
  public func load(_ word: String) async throws(PluginError) -> LoadedPlugin {
    try Self.single(await load([word]))
  }

  /// Loads several: they are made side by side, and those that are new probed by one child.
  public func load(_ words: [String]) async -> LoadReport {
    await load(
      words.map { word in (word, Result { () throws(PluginError) in try path.find(word) }) })
  }

  /// Loads everything on the plugin path.
  public func loadAll() async -> LoadReport {
    await load(available().map { ($0.name, .success($0)) })
  }

  /// Loads a plugin again from where it came, if that has changed.
  public func reload(_ name: String) async throws(PluginError) -> LoadReport.Outcome {
    let origin = try loaded(name).origin
    let outcome = await load([(name, .success(origin))]).entries[0].outcome
    if case .failed(let error) = outcome { throw error }
    return outcome
  }

  /// Loads every loaded plugin again that has changed.
  public func reloadAll() async -> LoadReport {
    await load(plugins.map { ($0.name, .success($0.origin)) })
  }

  /// Forgets a plugin and its patterns. Its code stays in memory: what still runs goes on.
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
            ? ": none is. Load one with `load NAME`."
            : "; loaded are \(names.joined(separator: ", "))."),
      suggestions: nearest)
  }

  private static func single(_ report: LoadReport) throws(PluginError) -> LoadedPlugin {
    switch report.entries[0].outcome {
    case .loaded(let plugin), .unchanged(let plugin): return plugin
    case .failed(let error): throw error
    }
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
        // Whoever gave up meanwhile wants nothing loaded.
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

  /// A failure says that what was loaded from the same place before stays.
  private func saying(
    whatStays found: Result<PluginOrigin, PluginError>, _ outcome: LoadReport.Outcome
  ) -> LoadReport.Outcome {
    guard case .failed(var error) = outcome, error.kind != .cancelled,
      let origin = try? found.get(), let kept = shelf.withLock({ $0.plugin(from: origin) })
    else { return outcome }
    error.message += " \(kept.name) stays as it was loaded before."
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
      // Somebody else may have loaded the same meanwhile.
      if let same = shelf.unchanged(built) { return .unchanged(same) }
      return .loaded(try shelf.put(loaded, patterns: patterns))
    }
  }
}
