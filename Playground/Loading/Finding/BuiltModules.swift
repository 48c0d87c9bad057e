import Foundation

/// The modules in a build folder that are not linked into the host. The module `<name>Patterns` has the plugin `<name>`.
struct BuiltModules {
  let folder: String
  private let own: Set<String>?

  init(_ host: PluginHost) {
    folder = host.folder
    own = host.ownModules
  }

  /// - Parameter own: the modules that plugins must not contain; nil if they are unknown.
  init(folder: String, own: Set<String>?) {
    self.folder = folder
    self.own = own
  }

  /// The names of all modules from which a plugin can be made, or which it can contain. The host's modules, test
  /// modules and modules built for the build's own tools are left out.
  func modules() -> [String] {
    guard let own else { return [] }
    return Files.names(in: folder).compactMap { entry in
      guard entry.hasSuffix(".build") else { return nil }
      let name = String(entry.dropLast(6))
      return own.contains(name) || name.hasSuffix("-tool") || name.hasSuffix("Tests") ? nil : name
    }
  }

  /// The plugins of the build's modules. No object is read.
  func origins() -> [PluginOrigin] {
    modules().compactMap { module in
      guard module.hasSuffix(Self.suffix), !objects(of: module).isEmpty else { return nil }
      return PluginOrigin(
        name: String(module.dropLast(Self.suffix.count)), kind: .module, path: path(of: module))
    }
  }

  /// The plugin with that name, if its module is compiled.
  func origin(named name: String) -> PluginOrigin? {
    guard let module = module(ofPlugin: name), !objects(of: module).isEmpty else { return nil }
    return PluginOrigin(name: name, kind: .module, path: path(of: module))
  }

  /// Whether the build knows the module of the plugin but has not compiled it yet.
  func isPlanned(_ name: String) -> Bool {
    guard let module = module(ofPlugin: name) else { return false }
    return objects(of: module).isEmpty
  }

  private static let suffix = "Patterns"

  private func module(ofPlugin name: String) -> String? {
    let module = name + Self.suffix
    guard let own, !own.contains(module), Files.isDirectory(path(of: module)) else { return nil }
    return module
  }

  private func path(of module: String) -> String { folder + "/" + module + ".build" }

  /// The current objects of a module. The build does not remove the objects of deleted sources. Its output file map
  /// lists the current objects, each as a path in quotation marks. If the map is incomplete, or a path has an
  /// escaped character, all objects count as current.
  func objects(of module: String) -> [String] {
    let build = path(of: module)
    let found = Files.all(below: build, ending: "o")
    guard !found.isEmpty, let map = Files.read(build + "/output-file-map.json"),
      map.suffix(2).contains(UInt8(ascii: "}"))
    else { return found }
    var current: Set<String> = []
    var hasEscapes = false
    Files.forEachComponent(in: map, endedBy: UInt8(ascii: "\"")) { component, isLast in
      if component.last == UInt8(ascii: "\\") { hasEscapes = true }
      guard isLast, component.suffix(2).elementsEqual(".o".utf8) else { return }
      current.insert(String(decoding: component, as: UTF8.self))
    }
    guard !hasEscapes else { return found }
    let kept = found.filter { current.contains(Files.lastComponent($0)) }
    return kept.isEmpty ? found : kept
  }
}
