internal import FileWriting
package import TraceBasics

#if canImport(Glibc)
  internal import Glibc
  private let systemRead = Glibc.read
#elseif canImport(Darwin)
  internal import Darwin
  private let systemRead = Darwin.read
#endif

extension SavedRuns {
  /// Reads a file.
  ///
  /// - Throws: `SavedRunsError` if there is no such file, or if it is not a file of runs.
  public static func read(_ path: String) throws(SavedRunsError) -> SavedRuns {
    do throws(SavedRunsError) {
      return try SavedRuns(bytes: try contents(of: path))
    } catch {
      var error = error
      error.path = path
      throw error
    }
  }

  /// Writes a file, and replaces any that exists.
  ///
  /// The new file is written beside the old one and then replaces it. A reader sees either all of the old one or all of
  /// the new one.
  public func write(to path: String) throws(SavedRunsError) {
    try SavedRuns.replace(path) { output in
      var writer = JSONWriter(to: output)
      // The writer must hold the only reference to the buffer, so that it changes the buffer in place.
      output = TextOutput()
      write(to: &writer)
      output = writer.output
    }
  }

  /// Writes a file beside the old one and then replaces the old one. A device or a pipe is not replaced, but written
  /// to.
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

  /// Writes text to a file piece by piece, and replaces the file in the same way.
  package static func replace(
    _ path: String, writing body: (inout TextOutput) -> Void
  ) throws(SavedRunsError) {
    try replace(path) { file throws(SavedRunsError) in
      var output = TextOutput { try SavedRuns.write(Array($0), to: file, path) }
      body(&output)
      do {
        try output.finish()
      } catch {
        throw error as? SavedRunsError ?? SavedRunsError("\(error)", path: path)
      }
    }
  }

  // MARK: - Bytes

  package static func contents(of path: String) throws(SavedRunsError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .unreadable }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .unreadable }
    // A device or a pipe may have no end.
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SavedRunsError("it is not a regular file; copy its contents to one")
    }
    var problem = false
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      while count < buffer.count {
        let got = systemRead(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { problem = true }
        if got <= 0 { return }
        count += got
      }
    }
    if problem { throw .unreadable }
    return bytes
  }

  static func write(
    _ bytes: [UInt8], to file: Int32, _ path: String
  ) throws(SavedRunsError) {
    if let code = writeAll(bytes, to: file) { throw .unwritable(path, .init(code, at: path)) }
  }
}

extension SavedRunsError {
  /// Why the file cannot be written. Without `fault`, the reason comes from `errno`.
  fileprivate static func unwritable(
    _ path: String, _ fault: FileReplacement.Fault? = nil
  ) -> SavedRunsError {
    let fault = fault ?? FileReplacement.Fault(errno, at: path)
    return SavedRunsError("it cannot be written: \(fault.reason)", path: path)
  }

  /// Why the file cannot be read. The reason comes from `errno`.
  fileprivate static var unreadable: SavedRunsError {
    SavedRunsError("it cannot be read: \(String(cString: strerror(errno)))")
  }
}
