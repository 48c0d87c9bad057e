#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that is to be written in place of whatever is at its path: it is made beside its place and then put there, so
/// that who reads it sees the old one or the new one.
///
/// Of a symbolic link it is the file that it leads to, which may still have to be made. The mode stays as it is, and
/// owner and group do as far as the system lets who writes set them.
package struct FileReplacement: Sendable {
  /// What is at a path.
  package enum Kind: Sendable {
    case nothing, file, folder
    /// A device, a pipe or a socket, which is written to as it stands.
    case other
  }

  /// Where the path leads, by the one name of its folder if that is there.
  package let target: String
  package let kind: Kind
  private let mode: mode_t
  private let owner: uid_t
  private let group: gid_t

  /// Looks at what is there now.
  ///
  /// - Throws: `Fault` if symbolic links lead in a circle, or the path is empty.
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

  /// Whether a file can be put there, as far as that can be told before there is one.
  ///
  /// - Throws: `Fault` if it is a folder, or would stand in none that may be written to.
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

  /// Makes the file and puts it in its place; if something goes wrong, what was there stays.
  ///
  /// - Parameters:
  ///   - error: what to throw where the system refuses.
  ///   - body: writes what it is to hold to a descriptor.
  package func write<Failure: Error>(
    orThrow error: (Fault) -> Failure, _ body: (Int32) throws(Failure) -> Void
  ) throws(Failure) {
    guard kind != .folder else { throw error(Fault(EISDIR, at: target)) }
    // Until it is whole nobody else may read what takes the place of a file that they may not read.
    let (unfinished, file) = try Self.makeBeside(
      target, mode: kind == .file ? 0o600 : 0o666, orThrow: error)
    defer { close(file) }
    do throws(Failure) {
      try body(file)
      if kind == .file {
        // Before the mode, of which the system takes something away when the owner changes.
        if fchown(file, owner, group) != 0 { _ = fchown(file, uid_t.max, group) }
        guard fchmod(file, mode) == 0 else { throw error(Fault(errno, at: target)) }
      }
      guard rename(unfinished, target) == 0 else { throw error(Fault(errno, at: target)) }
    } catch {
      unlink(unfinished)
      throw error
    }
  }

  /// A new file in the folder of another, by a name that is nobody else's, however many write to one place at a time.
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

  /// Where a path leads at which there is no file yet: a symbolic link may name one that is still to be made.
  private static func followed(_ path: String) throws(Fault) -> String {
    var target = path
    // As many as the system follows.
    for _ in 0..<40 {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(target, &buffer, buffer.count)
      guard count > 0 else { return target }
      let next = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      target = next.hasPrefix("/") ? next : parts(of: target).folder + next
    }
    throw Fault(ELOOP, at: path)
  }

  /// The same, with the one name of its folder, if there is one.
  private static func inRealFolder(_ path: String) -> String {
    let (folder, name) = parts(of: path)
    return real(folder).map { ($0 == "/" ? "" : $0) + "/" + name } ?? path
  }

  private static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// A file's folder, with its slash, and its name in it.
  private static func parts(of path: String) -> (folder: String, name: Substring) {
    guard let slash = path.lastIndex(of: "/") else { return ("./", path[...]) }
    return (String(path[...slash]), path[path.index(after: slash)...])
  }

  /// What the system refused, and where.
  package struct Fault: Error, Hashable {
    /// Of `errno`.
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
