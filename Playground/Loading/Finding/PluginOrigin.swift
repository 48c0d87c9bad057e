/// What a plugin is made from or loaded from.
public struct PluginOrigin: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, Codable {
    /// A module of this package, its objects in the build folder.
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

  /// What `load` finds it by: the file's or module's name without extension.
  public var name: String
  public var kind: Kind
  /// As the user wrote it, or where on the plugin path it was found; a module's is its build folder.
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
