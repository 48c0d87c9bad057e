#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Why a file could not be written, and what to do about it.
package enum WritingFault {
  /// What is wrong and what to do about it, as the end of a sentence: “there is no folder “out”;
  /// create it, or name a file elsewhere”.
  ///
  /// - Parameters:
  ///   - code: the value of `errno`.
  ///   - path: the path of the file that could not be written.
  package static func reason(_ code: Int32, at path: String) -> String {
    switch code {
    case EISDIR: "it is a folder; name a file in it"
    case ENOENT, ENOTDIR: missing(path)
    case EACCES, EPERM:
      "permission denied; name a file where you may write, or change the permissions of “\(folder(of: path))”"
    case ENOSPC, EDQUOT: "no space is left there; free some, or name a file elsewhere"
    case EROFS: "that file system is read-only; name a file elsewhere"
    case ENAMETOOLONG: "the name is too long; name a shorter one"
    case ELOOP: "its symbolic links form a cycle; name the file itself"
    case ENXIO: "no program reads from it; name a file, or start the reader first"
    default: "\(String(cString: strerror(code))); name a file elsewhere"
    }
  }

  /// What is missing: the folder of the file, or a folder in its path.
  private static func missing(_ path: String) -> String {
    guard !path.hasSuffix("/") else { return "that is the name of a folder; name a file in it" }
    var folder = folder(of: path)
    if exists(folder).isFolder {
      return "no file can be created in “\(folder)”; name one elsewhere"
    }
    // Finds the longest beginning of the path that exists.
    let whole = folder
    while !exists(folder).isThere {
      let above = self.folder(of: folder)
      guard above != folder else { break }
      folder = above
    }
    let found = exists(folder)
    return found.isThere && !found.isFolder
      ? "“\(folder)” is not a folder; name a file elsewhere"
      : "there is no folder “\(whole)”; create it, or name a file elsewhere"
  }

  private static func exists(_ path: String) -> (isThere: Bool, isFolder: Bool) {
    var status = stat()
    guard stat(path, &status) == 0 else { return (false, false) }
    return (true, status.st_mode & S_IFMT == S_IFDIR)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
