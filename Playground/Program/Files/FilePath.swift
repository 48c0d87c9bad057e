import Foundation

/// Where a path that somebody wrote leads.
enum FilePath {
  /// `~` is the home folder; a relative path starts where the program was started.
  static func resolve(_ path: String) -> String {
    path.hasPrefix("~") ? NSString(string: path).expandingTildeInPath : path
  }

  /// The one name of a file that has several.
  static func canonical(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().path
  }

  /// What a script loads: a path, as ``resolve(_:besides:)`` has it, or the name of a plugin, as it is.
  static func plugin(_ word: String, besides script: String) -> String {
    let isPath = word.contains("/") || word.hasSuffix(".swift") || word.hasSuffix(".so")
    return isPath ? resolve(word, besides: script) : word
  }

  /// The same as ``resolve(_:)``, but a relative path that leads nowhere from there starts beside `script`.
  static func resolve(_ path: String, besides script: String) -> String {
    let resolved = resolve(path)
    guard !resolved.hasPrefix("/"), !FileManager.default.fileExists(atPath: resolved) else {
      return resolved
    }
    let beside = NSString(string: NSString(string: script).deletingLastPathComponent)
      .appendingPathComponent(resolved)
    return FileManager.default.fileExists(atPath: beside) ? beside : resolved
  }
}
