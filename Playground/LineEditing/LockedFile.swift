import FileWriting

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that is open for appending and locked, so that no other session can lock it.
struct LockedFile {
  let path: String
  let descriptor: Int32
  /// Whether it is a regular file. Any other kind of file, such as `/dev/null`, is neither read nor shortened.
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
    if let code = writeAll(bytes, to: descriptor) { throw HistoryFileError(path: path, code: code) }
  }

  /// Replaces the file's contents with `bytes`, atomically. A symbolic link to the history stays a link.
  func replace(with bytes: some Collection<UInt8>) throws(HistoryFileError) {
    let failure = { [path] (fault: FileReplacement.Fault) in
      HistoryFileError(path: path, code: fault.code)
    }
    let place: FileReplacement
    do throws(FileReplacement.Fault) { place = try FileReplacement(path) } catch {
      throw failure(error)
    }
    try place.write(orThrow: failure) { file throws(HistoryFileError) in
      if let code = writeAll(bytes, to: file) { throw HistoryFileError(path: path, code: code) }
    }
  }

  private func failure() -> HistoryFileError { HistoryFileError(path: path, code: errno) }

  private static func closeDescriptor(_ descriptor: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.close(descriptor)
    #else
      Darwin.close(descriptor)
    #endif
  }
}
