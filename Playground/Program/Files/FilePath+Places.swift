import AsyncPatterns
import FileWriting
import Foundation

extension FilePath {
  /// The extension of a file's name, with its dot. Nil if it has none.
  static func ending(of path: String) -> Substring? {
    let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
      name.index(after: dot) < name.endIndex
    else { return nil }
    return name[dot...]
  }

  /// Whether two paths lead to the same file, through any links.
  static func isSameFile(_ first: String, _ second: String) -> Bool {
    func identity(_ path: String) -> [UInt64]? {
      let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      let attributes = try? FileManager.default.attributesOfItem(atPath: target)
      guard let device = attributes?[.systemNumber] as? NSNumber,
        let number = attributes?[.systemFileNumber] as? NSNumber
      else { return nil }
      return [device.uint64Value, number.uint64Value]
    }
    guard let first = identity(first) else { return false }
    return first == identity(second)
  }

  /// Whether writing to one of two paths replaces what was written to the other, even if the file does not exist yet.
  /// False for anything but a regular file: a device, for example, keeps nothing.
  static func isSamePlace(_ first: String, _ second: String) -> Bool {
    guard let first = try? FileReplacement(resolve(first)),
      first.kind == .file || first.kind == .nothing,
      let second = try? FileReplacement(resolve(second))
    else { return false }
    return first.target == second.target || isSameFile(first.target, second.target)
  }

  /// Whether a path leads to something that exists.
  static func exists(_ path: String) -> Bool { mode(of: resolve(path)) != nil }

  /// Whether a path leads to a folder.
  static func isFolder(_ path: String) -> Bool {
    mode(of: resolve(path)) == S_IFDIR
  }

  /// The last component of a path.
  static func name(of path: String) -> String { NSString(string: path).lastPathComponent }

  /// Whether a path leads to a pipe, such as the shell's `<(…)`.
  static func isPipe(_ path: String) -> Bool { mode(of: resolve(path)) == S_IFIFO }

  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
