import AsyncPatterns
import AsyncRender
import FileWriting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Picture {
  /// Writes the picture as PNG to a file. An existing file stays intact until the new one is complete, and is then
  /// replaced.
  ///
  /// If the file is a symbolic link, its target is replaced. Mode and owner stay the same. A device or a pipe is
  /// written to directly.
  ///
  /// - Parameter cancellation: ends the encoding early, with an error, before the file is touched.
  /// - Returns: the data that was written.
  /// - Throws: `StepFailure` if the file cannot be written, with the reason and what to do; `DrawingError` if the
  ///   encoding is cancelled, or if there is not enough memory.
  /// - Complexity: O(pixels).
  @discardableResult
  func write(to file: URL, cancellation: Cancellation? = nil) throws -> Data {
    let data = try pngData(cancellation: cancellation)
    try Picture.write(data, to: file)
    return data
  }

  /// Replaces the contents of a file.
  private static func write(_ data: Data, to file: URL) throws(StepFailure) {
    let path = file.path
    do throws(FileReplacement.Fault) {
      let place = try FileReplacement(path)
      guard place.kind == .other else {
        let itself = { (fault: FileReplacement.Fault) in fault }
        return try place.write(orThrow: itself) { file throws(FileReplacement.Fault) in
          try writeAll(data, to: file, path)
        }
      }
      // Without O_NONBLOCK, opening a pipe would wait for a reader.
      let device = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      guard device >= 0 else { throw FileReplacement.Fault(errno, at: path) }
      defer { close(device) }
      _ = fcntl(device, F_SETFL, 0)
      try writeAll(data, to: device, path)
    } catch {
      throw StepFailure("the picture cannot be written to “\(path)”: \(error.reason)")
    }
  }

  private static func writeAll(
    _ data: Data, to file: CInt, _ path: String
  ) throws(FileReplacement.Fault) {
    if let code = FileWriting.writeAll(data, to: file) {
      throw FileReplacement.Fault(code, at: path)
    }
  }
}
