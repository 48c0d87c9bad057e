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
  static func names(in folder: String) -> [String] { entries(of: folder).map(\.name) }

  /// The files named `*.ext` below a folder, sorted. Hidden files, hidden folders and linked folders are skipped.
  static func all(below folder: String, ending ext: String) -> [String] {
    let ending = "." + ext
    var found: [String] = []
    for entry in entries(of: folder) {
      let path = folder + "/" + entry.name
      // For a plain file, the system has told the kind already. Most entries are plain files.
      let isPlain = entry.kind == UInt8(DT_REG)
      if entry.name.hasSuffix(ending), isPlain || isFile(path) {
        found.append(path)
      } else if !isPlain, isDirectory(path), !isLink(path) {
        found += all(below: path, ending: ext)
      }
    }
    return found
  }

  /// The entries of a folder, sorted by name, without hidden ones. Some file systems do not tell the kind, such as
  /// `DT_REG` for a plain file.
  private static func entries(of folder: String) -> [(name: String, kind: UInt8)] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var entries: [(name: String, kind: UInt8)] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { entries.append((name, entry.pointee.d_type)) }
    }
    return entries.sorted { $0.name < $1.name }
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
  ///
  /// - Parameter mode: the permissions of new folders. By default, only the user can access them.
  static func make(_ folder: String, mode: mode_t = 0o700) -> Bool {
    if mkdir(folder, mode) != 0, errno == ENOENT, folder != Self.folder(of: folder),
      make(Self.folder(of: folder), mode: mode)
    {
      _ = mkdir(folder, mode)
    }
    return isDirectory(folder) && access(folder, W_OK | X_OK) == 0
  }

  /// Whether the file or folder belongs to the user and no other user may write to it.
  static func isOwn(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_uid == geteuid()
      && information.st_mode & 0o022 == 0
  }

  /// Removes the permissions of all other users from a folder of the user, if other users may write to the folder.
  ///
  /// A folder that a link leads to is not changed, because the link may belong to another user.
  ///
  /// - Returns: whether the folder belongs to the user and no other user may write to it.
  static func makePrivate(_ folder: String) -> Bool {
    if isOwn(folder) { return true }
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_uid == geteuid(),
      fchmod(descriptor, 0o700) == 0
    else { return false }
    return isOwn(folder)
  }

  /// Marks a file as used now. Its modification time and its ``FileStamp`` stay the same.
  static func markUsed(_ path: String) {
    var information = stat()
    guard stat(path, &information) == 0 else { return }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    utimensat(AT_FDCWD, path, [now, information.st_mtim], 0)
  }

  /// When a file was made or marked as used, or perhaps read; 0 if there is no such file.
  static func lastUse(of path: String) -> Int64 {
    var information = stat()
    return stat(path, &information) == 0 ? information.st_atim.nanoseconds : 0
  }

  static func read(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map(Array.init)
  }

  /// Calls `body` with each component of the paths in a text, and with whether it is the last component of its path.
  ///
  /// It does not split the text into strings: the lists of a build are long and are read at each start. The components
  /// are valid until this function returns.
  ///
  /// - Parameter end: the byte that ends a path. The end of the text ends one, too.
  static func forEachComponent(
    in text: [UInt8], endedBy end: UInt8,
    _ body: (_ component: Slice<UnsafeRawBufferPointer>, _ isLast: Bool) -> Void
  ) {
    text.withUnsafeBytes { text in
      var start = 0
      var position = 0
      while position < text.count {
        let byte = text[position]
        if byte == UInt8(ascii: "/") || byte == end {
          body(text[start..<position], byte == end)
          start = position + 1
        }
        position += 1
      }
      body(text[start...], true)
    }
  }

  /// Reads a file whose size is not known in advance, such as one in `/proc`.
  static func readStream(_ path: String) -> [UInt8]? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    return (try? file.readToEnd()).map(Array.init)
  }

  /// Moves a finished file into place in one atomic step, so that no reader sees an incomplete file. Before the move,
  /// the file is written to the disk, and only its owner keeps the permission to write to it.
  ///
  /// - Returns: the `errno` of a failure; nil if the file is in place.
  static func place(_ made: String, at place: String) -> Int32? {
    let descriptor = open(made, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0,
      fchmod(descriptor, information.st_mode & 0o7755) == 0, fsync(descriptor) == 0,
      rename(made, place) == 0
    else { return errno }
    return nil
  }
}
