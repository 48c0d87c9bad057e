#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that is open for appending and locked, so that no other session can lock it.
struct LockedFile {
  let path: String
  let descriptor: Int32
  /// Whether it is a regular file. Another file, such as `/dev/null`, is not read or shortened.
  let isRegular: Bool

  init(path: String) throws(HistoryFileError) {
    while true {
      // With O_NONBLOCK, a FIFO with that name cannot block the prompt.
      let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o600)
      guard descriptor >= 0 else { throw HistoryFileError(path: path, code: errno) }
      var opened = stat()
      var named = stat()
      while flock(descriptor, LOCK_EX) != 0 {
        // The file system may not support locks. An unlocked history is better than none.
        if errno != EINTR { break }
      }
      // While this session waited for the lock, another session may have replaced the file with a shorter one.
      let isSame =
        fstat(descriptor, &opened) == 0 && stat(path, &named) == 0
        && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
      guard isSame else {
        _ = Self.closeDescriptor(descriptor)
        continue
      }
      self.path = path
      self.descriptor = descriptor
      isRegular = opened.st_mode & S_IFMT == S_IFREG
      return
    }
  }

  func close() { _ = Self.closeDescriptor(descriptor) }

  func contents() throws(HistoryFileError) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure() }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let read = bytes.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress! + filled, buffer.count - filled, off_t(filled))
      }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { throw failure() }
      if read == 0 { break }
      filled += read
    }
    bytes.removeSubrange(filled...)
    return bytes
  }

  func write(_ bytes: some Collection<UInt8>) throws(HistoryFileError) {
    try Self.write(Array(bytes), to: descriptor, path: path)
  }

  /// Replaces the file's contents with `bytes`, atomically.
  func replace(with bytes: some Collection<UInt8>) throws(HistoryFileError) {
    // Uses the resolved path, so that a symbolic link to the history stays a link.
    let target = realpath(path, nil).map { resolved in
      defer { free(resolved) }
      return String(cString: resolved)
    }
    let replaced = target ?? path
    let temporary = "\(replaced).\(getpid())"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw HistoryFileError(path: temporary, code: errno) }
    defer { _ = Self.closeDescriptor(file) }
    do throws(HistoryFileError) {
      try Self.write(Array(bytes), to: file, path: temporary)
      guard rename(temporary, replaced) == 0 else { throw failure() }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private func failure() -> HistoryFileError { HistoryFileError(path: path, code: errno) }

  private static func write(
    _ bytes: [UInt8], to descriptor: Int32, path: String
  ) throws(HistoryFileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      #if canImport(Glibc)
        let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      #else
        let written = rest.withUnsafeBytes { Darwin.write(descriptor, $0.baseAddress, $0.count) }
      #endif
      if written < 0, errno == EINTR { continue }
      guard written >= 0 else { throw HistoryFileError(path: path, code: errno) }
      rest.removeFirst(written)
    }
  }

  private static func closeDescriptor(_ descriptor: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.close(descriptor)
    #else
      Darwin.close(descriptor)
    #endif
  }
}
