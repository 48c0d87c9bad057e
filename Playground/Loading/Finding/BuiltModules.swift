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

  func origins() -> [PluginOrigin] { modules().compactMap(origin(named:)) }

  func origin(named name: String) -> PluginOrigin? {
    guard let own, !own.contains(name), !entryPoints(of: name).isEmpty else { return nil }
    return PluginOrigin(name: name, kind: .module, path: folder + "/" + name + ".build")
  }

  /// Whether the build knows the module but has made no object of it.
  func isPlanned(_ name: String) -> Bool {
    guard let own, !own.contains(name) else { return false }
    return Files.isDirectory(folder + "/" + name + ".build") && objects(of: name).isEmpty
  }

  func entryPoints(of module: String) -> [String] {
    objects(of: module).flatMap { ObjectFile($0)?.entryPoints() ?? [] }
  }

  /// The objects of a module as it stands. The build leaves those of deleted sources behind; its
  /// map of outputs says which still count.
  func objects(of module: String) -> [String] {
    let build = folder + "/" + module + ".build"
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
