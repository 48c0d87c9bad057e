import Foundation

/// The modules in a build folder that a host can load: those with an entry point that it does not
/// hold itself.
struct BuiltModules {
  let folder: String
  private let own: Set<String>?

  init(_ host: PluginHost) {
    folder = host.folder
    own = host.ownModules()
  }

  /// - Parameter own: the modules that plugins must not bring along; nil where that is not known.
  init(folder: String, own: Set<String>?) {
    self.folder = folder
    self.own = own
  }

  /// Every module a plugin may be made of or bring along, by name: not the host's, not tests, not
  /// what was built for the build itself.
  func modules() -> [String] {
    guard let own else { return [] }
    return Files.names(in: folder).compactMap { entry in
      guard entry.hasSuffix(".build") else { return nil }
      let name = String(entry.dropLast(6))
      return own.contains(name) || name.hasSuffix("-tool") || name.hasSuffix("Tests") ? nil : name
    }
  }

  func origins() -> [PluginOrigin] {
    modules().flatMap { module in
      entryPoints(of: module).map { PluginOrigin(name: $0, kind: .module, path: path(of: module)) }
    }
  }

  /// The plugin of that name, in a module of that name or in one of its patterns beside it.
  func origin(named name: String) -> PluginOrigin? {
    guard let own else { return nil }
    let module = Self.modules(ofPlugin: name).first { module in
      !own.contains(module) && entryPoints(of: module).contains(EntryPoint.identifier(name))
    }
    return module.map { PluginOrigin(name: name, kind: .module, path: path(of: $0)) }
  }

  /// Whether the build knows a module of the plugin but has made no object of it.
  func isPlanned(_ name: String) -> Bool {
    guard let own else { return false }
    return Self.modules(ofPlugin: name).contains { module in
      !own.contains(module) && Files.isDirectory(path(of: module)) && objects(of: module).isEmpty
    }
  }

  /// Where a plugin of the build may be: in a library's patterns, or in the module of that name.
  private static func modules(ofPlugin name: String) -> [String] { [name + "Patterns", name] }

  private func path(of module: String) -> String { folder + "/" + module + ".build" }

  func entryPoints(of module: String) -> [String] {
    objects(of: module).flatMap { ObjectFile($0)?.entryPoints() ?? [] }
  }

  /// The objects of a module as it stands. The build leaves those of deleted sources behind; its
  /// map of outputs says which still count.
  func objects(of module: String) -> [String] {
    let build = path(of: module)
    let found = Files.all(below: build, ending: "o")
    guard !found.isEmpty,
      let map = FileManager.default.contents(atPath: build + "/output-file-map.json"),
      let entries = try? JSONSerialization.jsonObject(with: map) as? [String: [String: String]]
    else { return found }
    let current = Set(entries.values.compactMap { $0["object"] }.map(Files.lastComponent))
    let kept = found.filter { current.contains(Files.lastComponent($0)) }
    return kept.isEmpty ? found : kept
  }
}
