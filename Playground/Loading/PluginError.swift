/// The reason why a plugin could not be found, made, probed or loaded. The message says what happened, where, and what
/// to do about it.
public struct PluginError: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case notFound
    case notBuilt
    case unreadable
    case unsuitable
    case noPlugin
    case severalPlugins
    case compilerMissing
    case compileFailed
    case linkFailed
    case missingSymbol
    case wrongABI
    case wrongCompiler
    case sanitizerMismatch
    case notLoadable
    case crashed
    case hung
    case badPlugin
    case conflict
    case notLoaded
    case cancelled
  }

  public var kind: Kind
  /// Complete sentences that include what to do about it.
  public var message: String
  /// The output of the tool that failed, or the last lines that a crashed or hung plugin wrote; otherwise empty.
  public var output: String
  /// The names that the user probably meant, the most similar first.
  public var suggestions: [String]

  public init(
    _ kind: Kind, _ message: String, output: String = "", suggestions: [String] = []
  ) {
    self.kind = kind
    self.message = message
    self.output = output
    self.suggestions = suggestions
  }

  /// The output, if any, followed by the message.
  public var description: String {
    output.isEmpty ? message : output.trimmingNewlines + "\n" + message
  }
}

extension PluginError {
  static let cancelled = PluginError(
    .cancelled, "Loading was cancelled. The plugins that were loaded before are unchanged.")

  /// A file in the cache cannot be written.
  static func unwritable(_ path: String) -> PluginError {
    PluginError(
      .unreadable,
      "“\(path)” cannot be written. Free some space there, or set XDG_CACHE_HOME to another folder."
    )
  }

  static func compilerMissing(wanted: String?) -> PluginError {
    let found =
      wanted.map { "$SWIFTC names “\($0)”, which is not an executable file" }
      ?? "There is no swiftc on the PATH"
    return PluginError(
      .compilerMissing,
      "\(found), and building a plugin needs it. Install the Swift toolchain that this playground was "
        + "built with (https://www.swift.org/install), put its usr/bin on the PATH or name its "
        + "compiler in $SWIFTC; a plugin that is already built (.so) loads without it.")
  }

  static func wrongABI(_ what: String, plugin: UInt32, host: UInt32) -> PluginError {
    PluginError(
      .wrongABI,
      "\(what) was built for plugin ABI \(plugin), but this playground uses ABI \(host). Rebuild "
        + "it against the version of this package that the playground was built from.")
  }

  static func wrongCompiler(_ what: String, plugin: String, host: String) -> PluginError {
    PluginError(
      .wrongCompiler,
      "\(what) was built by “\(plugin)”, but this playground by “\(host)”. Swift code of two "
        + "compilers cannot be mixed. Rebuild one of them with the other's toolchain.")
  }
}

extension String {
  var trimmingNewlines: String {
    var text = self[...]
    while let last = text.last, last.isNewline { text.removeLast() }
    return String(text)
  }
}
