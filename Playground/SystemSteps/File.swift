public import AsyncPatterns

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A regular file, by its path as it was written: a leading `~` is the home directory.
public struct File: Sendable {
  /// The largest that is read, in bytes.
  static let limit = 1 << 30

  let path: String

  /// - Throws: `ArgumentError` for a path that cannot be.
  public init(_ written: String) throws(ArgumentError) {
    guard !written.isEmpty else {
      throw ArgumentError("the path is empty; name a file", parameter: "path")
    }
    guard !written.utf8.contains(0) else {
      throw ArgumentError("a path cannot contain the character NUL", parameter: "path")
    }
    let isInHome = written == "~" || written.hasPrefix("~/")
    path = isInHome ? Self.home + written.dropFirst() : written
  }

  private static var home: String {
    if let home = ProcessInfo.processInfo.environment["HOME"], !home.isEmpty { return home }
    return FileManager.default.homeDirectoryForCurrentUser.path
  }

  /// The whole contents.
  func read() throws -> Data {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    let descriptor = FileDescriptor.open(path, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else { throw StepFailure("\(path): \(systemError())") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw StepFailure("\(path): \(systemError())") }
    try checkIsRegular(status, instead: "sh \"cat …\"")
    return try FileDescriptor.readAll(descriptor, upTo: Self.limit, path)
  }

  /// Replaces the contents, or makes the file: in one go or, if it fails or is cancelled, not at all.
  ///
  /// - Throws: `StepFailure`, with the path and the reason.
  public func replace(with bytes: Data) throws {
    let target = try target()
    let (temporary, descriptor) = try FileDescriptor.createUnique(in: target.directory, for: path)
    defer { close(descriptor) }
    do {
      try FileDescriptor.write(bytes, to: descriptor, path)
      if let old = target.old {
        // As far as the system lets who writes it; before the mode, of which it takes something away then.
        if fchown(descriptor, old.st_uid, old.st_gid) != 0 {
          _ = fchown(descriptor, uid_t.max, old.st_gid)
        }
        fchmod(descriptor, old.st_mode & 0o7777)
      }
      try Task.checkCancellation()
      guard rename(temporary, target.path) == 0 else { throw writingFailure(path) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// What is to be replaced: of a symbolic link, the file it leads to.
  private func target() throws -> (path: String, directory: String, old: stat?) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT, !path.hasSuffix("/") else { throw writingFailure(path) }
      return (path, directory(of: path), nil)
    }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw writingFailure(path, EISDIR) }
    try checkIsRegular(status, instead: "sh \"cat > …\"")
    guard let resolved = realpath(path, nil) else { throw writingFailure(path) }
    defer { free(resolved) }
    let target = String(cString: resolved)
    return (target, directory(of: target), status)
  }

  private func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return String(path[...slash])
  }

  private func checkIsRegular(_ status: stat, instead: String) throws {
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw StepFailure("\(path): is a directory")
    default: throw StepFailure("\(path): is not a regular file; name one, or use \(instead)")
    }
  }
}
