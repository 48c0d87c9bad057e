/// The source or the object that a plugin is loaded from.
public struct PluginOrigin: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, Codable {
    /// A module of this package; its objects are in the build folder.
    case module
    /// A single Swift file.
    case file
    /// A folder of Swift files.
    case folder
    /// A SwiftPM package.
    case package
    /// A shared object.
    case object
  }

  /// The name by which `load` finds it: the name of the file or folder, without `lib` and the extension. For a module,
  /// the name of its entry point without the prefix.
  public var name: String
  public var kind: Kind
  /// The path as the user wrote it, or as found on the plugin path. For a module, its build folder.
  public var path: String

  public init(name: String, kind: Kind, path: String) {
    self.name = name
    self.kind = kind
    self.path = path
  }
}

extension PluginOrigin: CustomStringConvertible {
  public var description: String {
    switch kind {
    case .module: "module \(name)"
    case .file, .folder, .object: path
    case .package: "package \(path)"
    }
  }
}
