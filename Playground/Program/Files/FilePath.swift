import Foundation

/// Resolves paths that the user has written.
enum FilePath {
  /// Expands `~` to the home folder. A relative path starts at the folder in which the program was started.
  static func resolve(_ path: String) -> String {
    path.hasPrefix("~") ? NSString(string: path).expandingTildeInPath : path
  }

  /// The one canonical path of a file, with all symbolic links resolved.
  static func canonical(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().path
  }

  /// Resolves what a script loads: a path as ``resolve(_:besides:)`` does; the name of a plugin stays as it is.
  static func plugin(_ word: String, besides script: String) -> String {
    let isPath = word.contains("/") || word.hasSuffix(".swift") || word.hasSuffix(".so")
    return isPath ? resolve(word, besides: script) : word
  }

  /// The same as ``resolve(_:)``, but a relative path to a file that does not exist is tried beside `script`.
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
