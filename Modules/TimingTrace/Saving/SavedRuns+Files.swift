internal import AsyncPatterns

#if canImport(Glibc)
  internal import Glibc
  private let (systemRead, systemWrite) = (Glibc.read, Glibc.write)
#elseif canImport(Darwin)
  internal import Darwin
  private let (systemRead, systemWrite) = (Darwin.read, Darwin.write)
#endif

extension SavedRuns {
  /// Reads a file.
  ///
  /// - Throws: `SavedRunsError` if there is none, or if it is no file of runs.
  public static func read(_ path: String) throws(SavedRunsError) -> SavedRuns {
    do throws(SavedRunsError) {
      return try SavedRuns(bytes: try contents(of: path))
    } catch {
      throw SavedRunsError(error.message, at: error.offset, path: path)
    }
  }

  /// Writes a file, in place of any that is there.
  ///
  /// It is written beside its place and then put there: who reads it sees the old one or the new one.
  public func write(to path: String) throws(SavedRunsError) {
    try SavedRuns.replace(path) { file throws(SavedRunsError) in
      try SavedRuns.write(bytes, to: file, path)
    }
  }

  /// Writes a file beside its place and then puts it there; what is no regular file, a device or a pipe, is
  /// written to as it stands.
  static func replace(
    _ path: String, _ body: (Int32) throws(SavedRunsError) -> Void
  ) throws(SavedRunsError) {
    let place: FileReplacement
    do throws(FileReplacement.Fault) { place = try FileReplacement(path) } catch {
      throw .unwritable(path, error)
    }
    guard place.kind == .other else {
      return try place.write(orThrow: { .unwritable(path, $0) }, body)
    }
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw .unwritable(path) }
    defer { close(file) }
    try body(file)
  }

  /// Adds a run at the end of a file, which is made if it is not there.
  ///
  /// What a writer that died left of a line is cut off first; a line that lacks nothing but its newline gets that.
  public static func append(_ run: SavedRun, to path: String) throws(SavedRunsError) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o644)
    guard file >= 0 else { throw .unwritable(path) }
    defer { close(file) }
    let size = try regularSize(of: file, path)
    let (end, lacksNewline) = wholeLines(of: file, size: size)
    // Not somebody's file of another kind.
    guard size == 0 || end > 0 && startsAsRuns(file) else {
      throw SavedRunsError(
        "it is no file of runs, and nothing was added to it", at: 0, path: path)
    }
    if end > 0, !startsAsRuns(file, version: version) {
      // A line of this version would be none of that one's.
      var runs = try read(path)
      runs.runs.append(run)
      return try runs.write(to: path)
    }
    guard ftruncate(file, end) == 0, lseek(file, 0, SEEK_END) >= 0 else {
      throw .unwritable(path)
    }
    let start = end == 0 ? SavedRuns().header + "\n" : lacksNewline ? "\n" : ""
    try write(Array((start + run.json + "\n").utf8), to: file, path)
  }

  // MARK: Bytes

  static func contents(of path: String) throws(SavedRunsError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .system("cannot be read", nil) }
    defer { close(file) }
    let size = try regularSize(of: file, nil)
    var problem = false
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
      while count < buffer.count {
        let got = systemRead(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { problem = true }
        if got <= 0 { return }
        count += got
      }
    }
    if problem { throw .system("cannot be read", nil) }
    return bytes
  }

  /// The size of a file that has an end: a device or a pipe may have none.
  private static func regularSize(of file: Int32, _ path: String?) throws(SavedRunsError) -> off_t {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .system("cannot be read", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SavedRunsError("it is not a regular file; copy what it holds to one", path: path)
    }
    return status.st_size
  }

  /// Where what is to be kept ends, and whether a newline belongs there first: blanks behind the last line are nothing.
  private static func wholeLines(
    of file: Int32, size: off_t
  ) -> (end: off_t, lacksNewline: Bool) {
    let end = position(in: file, before: size) { !Lines.blanks.contains($0) }
    let newline = position(in: file, before: size) { $0 == 0x0A }
    if newline > end { return (end, true) }
    var line = [UInt8](repeating: 0, count: Int(end - newline))
    let isWhole =
      pread(file, &line, line.count, newline) == line.count
      && (try? JSONReader.read(line)) != nil
    return isWhole ? (end, true) : (newline, false)
  }

  /// The position behind the last byte of a kind; 0 if there is none.
  private static func position(
    in file: Int32, before end: off_t, where isWanted: (UInt8) -> Bool
  ) -> off_t {
    var end = end
    var block = [UInt8](repeating: 0, count: 65_536)
    while end > 0 {
      let start = max(end - off_t(block.count), 0)
      let got = pread(file, &block, Int(end - start), start)
      guard got > 0 else { return 0 }
      if let last = block[..<got].lastIndex(where: isWanted) { return start + off_t(last) + 1 }
      end = start
    }
    return 0
  }

  /// Whether a file begins as one of runs does, of that version if one is named.
  private static func startsAsRuns(_ file: Int32, version: Int? = nil) -> Bool {
    let version = version.map { ",\"version\":\($0)," } ?? ""
    let beginning = Array("{\"format\":\"\(format)\"\(version)".utf8)
    var block = [UInt8](repeating: 0, count: beginning.count)
    return pread(file, &block, block.count, 0) == block.count && block == beginning
  }

  static func write(
    _ bytes: [UInt8], to file: Int32, _ path: String
  ) throws(SavedRunsError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        systemWrite(file, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .unwritable(path) }
      written += count
    }
  }
}

extension SavedRunsError {
  /// Why it cannot be written, by `errno` if nothing else tells.
  fileprivate static func unwritable(
    _ path: String, _ fault: FileReplacement.Fault? = nil
  ) -> SavedRunsError {
    let fault = fault ?? FileReplacement.Fault(errno, at: path)
    return SavedRunsError("it cannot be written: \(fault.reason)", path: path)
  }

  /// What the system has to say about it.
  fileprivate static func system(_ what: String, _ path: String?) -> SavedRunsError {
    let reason =
      errno == EFBIG
      ? "it would be larger than a file may be here (“ulimit -f” tells)"
      : String(cString: strerror(errno))
    return SavedRunsError("it \(what): \(reason)", path: path)
  }
}

extension SavedRuns {
  /// Writes text to a file piece by piece, in place of any that is there; who reads it sees the old one or the
  /// new one.
  static func replace(
    _ path: String, writing body: (inout TextOutput) -> Void
  ) throws(SavedRunsError) {
    try replace(path) { file throws(SavedRunsError) in
      var output = TextOutput { try SavedRuns.write(Array($0), to: file, path) }
      body(&output)
      do {
        try output.finish()
      } catch let error as SavedRunsError {
        throw error
      } catch {
        throw SavedRunsError(String(describing: error), path: path)
      }
    }
  }
}
