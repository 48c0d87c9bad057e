public import Foundation

/// The places where plugins are searched for, in this order: beside the executable, the folders given, the folders in
/// `$ASYNC_PLAYGROUND_PLUGINS`, the user's data folder.
public struct PluginPath: Sendable {
  public var host: PluginHost
  /// The folders that are searched after the places beside the executable.
  public var folders: [String]

  /// - Parameter given: the folders of the option `--plugins`.
  public init(
    host: PluginHost, given: [String] = [],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.host = host
    let listed = environment["ASYNC_PLAYGROUND_PLUGINS"] ?? ""
    folders =
      (given + listed.split(separator: ":").map(String.init)).map(Self.expandingHome)
      + [UserFolders.plugins(environment: environment)]
  }

  /// Every plugin on the path, sorted by name. If several have the same name, the first on the path is listed.
  ///
  /// Does not load or build anything. Reads the folders and the symbol tables of the build's modules.
  public func available() -> [PluginOrigin] {
    var found: [String: PluginOrigin] = [:]
    for origin in BuiltModules(host).origins() { found[origin.name] = origin }
    for folder in [host.plugins, host.sourcePlugins] + folders {
      for origin in Self.origins(in: folder) where found[origin.name] == nil {
        found[origin.name] = origin
      }
    }
    return found.values.sorted { $0.name < $1.name }
  }

  /// The plugin that `word` refers to. A word with a slash or the extension of a plugin is a path; any other word is a
  /// name on the plugin path.
  public func find(_ word: String) throws(PluginError) -> PluginOrigin {
    if Self.isPath(word) { return try Self.origin(at: word) }
    if let module = BuiltModules(host).origin(named: word) { return module }
    for folder in [host.plugins, host.sourcePlugins] + folders {
      if let origin = Self.origins(in: folder).first(where: { $0.name == word }) { return origin }
    }
    if BuiltModules(host).isPlanned(word) {
      throw PluginError(
        .notBuilt,
        "The module \(word) belongs to this playground, but it has not been built yet. Run `swift build` "
          + "in the package, then load it again.")
    }
    // No plugin has this name, but a file does. The error says why the file cannot be loaded.
    if Files.isFile(word) { return try Self.origin(at: word) }
    throw notFound(word)
  }

  static func isPath(_ word: String) -> Bool {
    word.contains("/") || word.hasSuffix(".swift") || word.hasSuffix(".so") || word == "."
      || word == ".." || word == "~"
  }

  private func notFound(_ word: String) -> PluginError {
    let nearest = NearestNames.of(word, among: available().map(\.name))
    var message = "There is no plugin “\(word)” on the plugin path"
    message += nearest.isEmpty ? "." : "; did you mean \(nearest.joined(separator: " or "))?"
    if Files.isFile(word + ".swift") {
      message += " There is a file of that name here: load ./\(word).swift"
    } else if Files.isDirectory(word) {
      message += " There is a folder of that name here: load ./\(word)"
    }
    let searched = ([host.plugins, host.sourcePlugins] + folders).map {
      "\n  \($0)\(Files.isDirectory($0) ? "" : " (does not exist)")"
    }
    message += "\nSearched:\(searched.joined())"
    return PluginError(.notFound, message, suggestions: nearest)
  }

  /// The plugin at a path. Its kind depends on the file or folder there.
  static func origin(at written: String) throws(PluginError) -> PluginOrigin {
    let path = expandingHome(written)
    if Files.isDirectory(path) {
      let name = Files.lastComponent(Files.resolved(path))
      if Files.isFile(path + "/Package.swift") {
        return PluginOrigin(name: name, kind: .package, path: path)
      }
      // Does not search subfolders, because the folder may be a home folder.
      guard Files.names(in: path).contains(where: { $0.hasSuffix(".swift") }) else {
        throw PluginError(
          .unsuitable,
          "The folder “\(written)” contains no Swift file. A plugin is a Swift file, a folder of them, a "
            + "SwiftPM package or a built .so.")
      }
      return PluginOrigin(name: name, kind: .folder, path: path)
    }
    guard Files.isFile(path) else {
      let folder = Files.folder(of: path)
      guard Files.isDirectory(folder) else {
        throw PluginError(
          .notFound, "There is no “\(written)”: the folder “\(folder)” does not exist.")
      }
      let nearest = NearestNames.of(Files.lastComponent(path), among: Files.names(in: folder))
      throw PluginError(
        .notFound,
        "There is no “\(written)”"
          + (nearest.isEmpty
            ? ". Give the path of a Swift file, a folder, a package or a built .so."
            : "; did you mean \(nearest.joined(separator: " or "))?"),
        suggestions: nearest)
    }
    guard let origin = Self.origin(ofFile: path) else {
      throw PluginError(
        .unsuitable,
        "“\(written)” is neither a Swift file nor a shared object (.so), so it cannot be loaded.")
    }
    return origin
  }

  private static func origin(ofFile path: String) -> PluginOrigin? {
    let file = Files.lastComponent(path)
    if file.hasSuffix(".swift") {
      return PluginOrigin(name: String(file.dropLast(6)), kind: .file, path: path)
    }
    if file.hasSuffix(".so") {
      let name = file.hasPrefix("lib") ? file.dropFirst(3) : file[...]
      return PluginOrigin(name: String(name.dropLast(3)), kind: .object, path: path)
    }
    return nil
  }

  /// The plugins in a folder, in the order of their file names.
  private static func origins(in folder: String) -> [PluginOrigin] {
    Files.names(in: folder).compactMap { name in
      let path = folder + "/" + name
      return Files.isDirectory(path) ? try? origin(at: path) : origin(ofFile: path)
    }
  }

  private static func expandingHome(_ path: String) -> String {
    path == "~" || path.hasPrefix("~/") ? NSHomeDirectory() + path.dropFirst() : path
  }
}
