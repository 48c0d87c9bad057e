import Foundation

/// The file operations that the loader uses most.
enum Files {
  static func isDirectory(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
  }

  static func isFile(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
  }

  private static func isLink(_ path: String) -> Bool {
    var information = stat()
    return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFLNK
  }

  /// The names in a folder, sorted, without hidden ones. Empty if the folder cannot be read.
  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// Every file below a folder whose name ends in `.ext`, sorted. Hidden folders and linked folders are skipped.
  static func all(below folder: String, ending ext: String) -> [String] {
    var found: [String] = []
    for name in names(in: folder) {
      let path = folder + "/" + name
      if name.hasSuffix("." + ext), isFile(path) {
        found.append(path)
      } else if isDirectory(path), !isLink(path) {
        found += all(below: path, ending: ext)
      }
    }
    return found
  }

  /// The absolute path without `.`, `..` and symbolic links, or `path` itself if nothing exists there.
  static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  static func lastComponent(_ path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }

  /// The folder that contains a path.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Creates a folder and its parent folders if they are missing. Returns false if the folder cannot be created or
  /// written to.
  static func make(_ folder: String) -> Bool {
    if !isDirectory(folder) {
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    }
    return access(folder, W_OK | X_OK) == 0
  }

  static func read(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map(Array.init)
  }
}
