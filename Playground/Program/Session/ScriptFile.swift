import Foundation
import PlaygroundLanguage

/// Reads scripts.
enum ScriptFile {
  /// - Throws: a `CommandError` that says why the file cannot be read, or a `Diagnostic` where it is
  ///   not text.
  static func read(_ path: String) throws -> Source {
    if path == "-" {
      return try Source(
        name: "<stdin>", bytes: Array(FileHandle.standardInput.readDataToEndOfFile()))
    }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw CommandError("there is no file “\(path)”")
    }
    guard !isDirectory.boolValue else {
      throw CommandError("“\(path)” is a folder, not a script")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandError("“\(path)” cannot be read; look at its permissions")
    }
    return try Source(name: path, bytes: Array(data))
  }
}

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
