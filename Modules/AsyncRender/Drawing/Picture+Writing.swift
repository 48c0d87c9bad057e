internal import AsyncPatterns

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension Picture {
  /// Writes the picture as PNG into a file, in place of what was there, which is whole until the new one is.
  ///
  /// Of a symbolic link, the file it leads to is replaced. A device or a pipe is written to as it stands.
  ///
  /// - Throws: `DrawingError` if the file cannot be written, with the reason and the way out.
  /// - Complexity: O(pixels).
  public func write(to file: URL) throws(DrawingError) {
    try Picture.write(try pngData(), to: file)
  }

  /// Writes a file's contents in place of what was there.
  static func write(_ data: Data, to file: URL) throws(DrawingError) {
    let path = file.path
    do throws(SystemFault) {
      var status = stat()
      guard stat(path, &status) == 0 else {
        return try replace(path, with: data, mode: nil)
      }
      switch status.st_mode & S_IFMT {
      case S_IFREG:
        guard let resolved = realpath(path, nil) else { throw SystemFault() }
        defer { free(resolved) }
        try replace(String(cString: resolved), with: data, mode: status.st_mode & 0o7777)
      case S_IFDIR: throw SystemFault(code: EISDIR)
      default:
        // Without O_NONBLOCK, opening a pipe would wait for a reader.
        let device = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard device >= 0 else { throw SystemFault() }
        defer { close(device) }
        _ = fcntl(device, F_SETFL, 0)
        try writeAll(data, to: device)
      }
    } catch {
      throw DrawingError(
        "the picture cannot be written to “\(path)”: \(WritingFault.reason(error.code, at: path))")
    }
  }

  /// Writes the file beside its place, and puts it there when it is whole.
  ///
  /// - Parameter mode: its permissions; nil for those of a new file.
  private static func replace(
    _ path: String, with data: Data, mode: mode_t?
  ) throws(SystemFault) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let unfinished = folder + ".\(String(UInt64.random(in: 0 ... .max), radix: 36))~"
    let file = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw SystemFault() }
    defer { close(file) }
    do throws(SystemFault) {
      try writeAll(data, to: file)
      if let mode { fchmod(file, mode) }
      guard rename(unfinished, path) == 0 else { throw SystemFault() }
    } catch {
      unlink(unfinished)
      throw error
    }
  }

  private static func writeAll(_ data: Data, to file: CInt) throws(SystemFault) {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemFault() }
      rest = rest.dropFirst(count)
    }
  }

  private struct SystemFault: Error {
    var code = errno
  }
}

private func systemWrite(_ file: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
