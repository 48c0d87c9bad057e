/// The entry point of a plugin: its name, and the source file that the loader writes for it.
enum EntryPoint {
  /// The prefix of the C symbol.
  static let prefix = "async_pattern_plugin_"

  /// - Parameters:
  ///   - type: the plugin, `Outer.Inner`.
  ///   - name: the part of the C symbol after the prefix.
  ///   - module: the module to import, if the type is in a module that is already compiled.
  static func source(for type: String, name: String, importing module: String? = nil) -> String {
    """
    import AsyncPatterns
    \(module.map { "@testable import \($0)\n" } ?? "")
    @_cdecl("\(prefix)\(name)")
    public func asyncPatternPluginEntryPoint() -> UnsafePointer<async_pattern_plugin> {
      async_pattern_handshake { \(type).describe(to: $0) }
    }

    """
  }

  /// `name` as an identifier that is valid for a module and a C symbol.
  static func identifier(_ name: String) -> String {
    var identifier = String(
      name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })
    if identifier.first.map({ $0.isNumber }) ?? true { identifier = "_" + identifier }
    return identifier
  }
}
