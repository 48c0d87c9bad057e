import AsyncPatterns

/// The contents of a plugin library, as plain values. The library accesses them under its lock.
struct PluginShelf {
  private struct Place {
    var plugin: LoadedPlugin
    /// The origin's path without symbolic links.
    var source: String
    var patterns: [String]
  }

  private var places: [String: Place] = [:]
  private(set) var patterns: [String: any AsyncPattern.Type] = [:]
  private var generations: [String: Int] = [:]

  var plugins: [LoadedPlugin] { places.values.map(\.plugin).sorted { $0.name < $1.name } }

  func plugin(named name: String) -> LoadedPlugin? {
    places[name]?.plugin ?? plugins.first { $0.origin.name == name }
  }

  func owner(of pattern: String) -> LoadedPlugin? {
    places.values.first { $0.patterns.contains(pattern) }?.plugin
  }

  func plugin(from origin: PluginOrigin) -> LoadedPlugin? {
    let source = Files.resolved(origin.path)
    return places.values.first { $0.source == source }?.plugin
  }

  /// The loaded plugin from that origin, if it has the same object file.
  func unchanged(_ built: BuiltPlugin) -> LoadedPlugin? {
    let source = Files.resolved(built.origin.path)
    return places.values.first { $0.source == source && $0.plugin.object == built.object }?.plugin
  }

  mutating func remove(_ name: String) {
    for pattern in places.removeValue(forKey: name)?.patterns ?? [] { patterns[pattern] = nil }
  }

  /// Adds a plugin, or replaces the one from the same origin. If it throws, nothing changes.
  mutating func put(
    _ plugin: LoadedPlugin, patterns new: [(name: String, type: any AsyncPattern.Type)]
  ) throws(PluginError) -> LoadedPlugin {
    let source = Files.resolved(plugin.origin.path)
    let replaced = places.values.first { $0.source == source }?.plugin.name
    if let other = places[plugin.name], other.source != source {
      throw PluginError(
        .conflict,
        "\(plugin.origin) has the name \(plugin.name), as does \(other.plugin.origin), which is loaded. "
          + "Unload \(plugin.name) first, or rename one of them.")
    }
    for (name, _) in new {
      if let other = owner(of: name), other.name != replaced {
        throw PluginError(
          .conflict,
          "\(plugin.name) (\(plugin.origin)) has a pattern “\(name)”, and so has \(other.name) "
            + "(\(other.origin)), which is loaded; nothing of \(plugin.name) was loaded. Unload "
            + "\(other.name) first, or rename the pattern.")
      }
    }
    if let replaced { remove(replaced) }
    var plugin = plugin
    plugin.generation = generations[source, default: 0] + 1
    generations[source] = plugin.generation
    places[plugin.name] = Place(plugin: plugin, source: source, patterns: new.map(\.name))
    for (name, type) in new { patterns[name] = type }
    return plugin
  }
}

/// The rules for names of patterns.
enum PatternNames {
  /// Rejects names that are not valid in the language, duplicates, and reserved names.
  static func check(
    _ names: [String], of plugin: LoadedPlugin, reserved: [String: String]
  ) throws(PluginError) {
    var seen: Set<String> = []
    for name in names {
      guard isName(name) else {
        throw PluginError(
          .badPlugin,
          "\(plugin.name) (\(plugin.origin)) has a pattern “\(name)”, which is not a name: a name starts "
            + "with a letter, followed by letters, digits, “_”, “-” and dots. Rename it.")
      }
      guard seen.insert(name).inserted else {
        throw PluginError(
          .conflict,
          "\(plugin.name) (\(plugin.origin)) has two patterns “\(name)”. Rename one of them.")
      }
      if let meaning = reserved[name] {
        throw PluginError(
          .conflict,
          "\(plugin.name) (\(plugin.origin)) has a pattern “\(name)”, which is \(meaning) here. Rename "
            + "it.")
      }
    }
  }

  static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard name.first.map({ $0.isASCII && $0.isLetter }) ?? false else { return false }
    return parts.allSatisfy { part in
      !part.isEmpty
        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" || $0 == "-" }
    }
  }
}
