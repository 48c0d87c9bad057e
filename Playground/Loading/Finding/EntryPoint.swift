/// The entry point of a plugin: what it is called, and the file that the loader writes for it.
enum EntryPoint {
  /// What the C symbol begins with.
  static let prefix = "async_pattern_plugin_"

  /// - Parameters:
  ///   - type: the plugin, `Outer.Inner`.
  ///   - name: what the C symbol is named after.
  ///   - module: the module to import where the type lies in one already compiled.
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

  /// `name` as an identifier: what a module and a C symbol may be called.
  static func identifier(_ name: String) -> String {
    var identifier = String(
      name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })
    if identifier.first.map({ $0.isNumber }) ?? true { identifier = "_" + identifier }
    return identifier
  }
}
