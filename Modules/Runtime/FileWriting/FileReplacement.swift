#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that replaces the file at its path. It is written beside that file and then renamed, so that a reader sees
/// either the old file or the new one.
///
/// Symbolic links are followed, even to a file that does not exist yet. The mode is kept. The owner
/// and the group are kept as far as the system allows.
package struct FileReplacement: Sendable {
  /// The kind of object at a path.
  package enum Kind: Sendable {
    case nothing, file, folder
    /// A device, a pipe or a socket. The caller must write to it directly.
    case other
  }

  /// The path without symbolic links. The folder has its canonical name if it exists.
  package let target: String
  package let kind: Kind
  private let mode: mode_t
  private let owner: uid_t
  private let group: gid_t

  /// Determines which kind of object is at the path now.
  ///
  /// - Throws: `Fault` if symbolic links form a cycle, or the path is empty.
  package init(_ path: String) throws(Fault) {
    guard !path.isEmpty else { throw Fault(ENOENT, at: path) }
    var status = stat()
    let isThere = stat(path, &status) == 0
    (mode, owner, group) = (status.st_mode & 0o7777, status.st_uid, status.st_gid)
    guard isThere else {
      kind = .nothing
      target = Self.inRealFolder(try Self.followed(path))
      return
    }
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .other
      }
    target = Self.real(path) ?? path
  }

  /// Checks whether a file can be written at the path, as far as this is known in advance.
  ///
  /// - Throws: `Fault` if the path is a folder, or if its folder is missing or cannot be written to.
  package func check() throws(Fault) {
    switch kind {
    case .folder: throw Fault(EISDIR, at: target)
    case .other: return
    case .nothing, .file:
      var status = stat()
      let isKnown = stat(target, &status) == 0 || errno == ENOENT
      guard isKnown, access(Self.parts(of: target).folder, W_OK | X_OK) == 0 else {
        throw Fault(errno, at: target)
      }
    }
  }

  /// Writes the file and renames it to its place. If that fails, the old file stays.
  ///
  /// - Parameters:
  ///   - error: makes the error to throw if the system refuses.
  ///   - body: writes the content to a descriptor.
  package func write<Failure: Error>(
    orThrow error: (Fault) -> Failure, _ body: (Int32) throws(Failure) -> Void
  ) throws(Failure) {
    guard kind != .folder else { throw error(Fault(EISDIR, at: target)) }
    // Until the new file is complete, only its owner can read it, since the file that it replaces
    // may be private.
    let (unfinished, file) = try Self.makeBeside(
      target, mode: kind == .file ? 0o600 : 0o666, orThrow: error)
    defer { close(file) }
    do throws(Failure) {
      try body(file)
      if kind == .file {
        // The owner comes before the mode, since the system clears some bits of the mode when the
        // owner changes.
        if fchown(file, owner, group) != 0 { _ = fchown(file, uid_t.max, group) }
        guard fchmod(file, mode) == 0 else { throw error(Fault(errno, at: target)) }
      }
      guard rename(unfinished, target) == 0 else { throw error(Fault(errno, at: target)) }
    } catch {
      unlink(unfinished)
      throw error
    }
  }

  /// Makes a file in the folder of another file. Its name is unique, even if several processes write to the same place.
  private static func makeBeside<Failure: Error>(
    _ target: String, mode: mode_t, orThrow error: (Fault) -> Failure
  ) throws(Failure) -> (path: String, descriptor: Int32) {
    while true {
      let name = ".\(String(UInt64.random(in: 0 ... .max), radix: 36)).unfinished"
      let path = parts(of: target).folder + name
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      if descriptor >= 0 { return (path, descriptor) }
      guard errno == EEXIST || errno == EINTR else { throw error(Fault(errno, at: target)) }
    }
  }

  // MARK: Paths

  /// Follows symbolic links at the end of a path. The last link may point to a file that does not
  /// exist yet.
  private static func followed(_ path: String) throws(Fault) -> String {
    var target = path
    // The system, too, follows at most 40 links.
    for _ in 0..<40 {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(target, &buffer, buffer.count)
      guard count > 0 else { return target }
      let next = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      target = next.hasPrefix("/") ? next : parts(of: target).folder + next
    }
    throw Fault(ELOOP, at: path)
  }

  /// The same path, with the canonical name of its folder if the folder exists.
  private static func inRealFolder(_ path: String) -> String {
    let (folder, name) = parts(of: path)
    return real(folder).map { ($0 == "/" ? "" : $0) + "/" + name } ?? path
  }

  private static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The folder of a file, with a slash at its end, and the file's name in the folder.
  private static func parts(of path: String) -> (folder: String, name: Substring) {
    guard let slash = path.lastIndex(of: "/") else { return ("./", path[...]) }
    return (String(path[...slash]), path[path.index(after: slash)...])
  }

  /// A refusal by the system, and where it happened.
  package struct Fault: Error, Hashable {
    /// The value of `errno`.
    package let code: Int32
    let place: String

    package init(_ code: Int32, at place: String) {
      self.code = code
      self.place = place
    }

    /// What is wrong, and what to do about it, as the end of a sentence.
    package var reason: String { WritingFault.reason(code, at: place) }
  }
}
