import AsyncPatterns

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

/// The complete standard input of a command, in an unnamed file.
///
/// With a pipe, a writer would be needed while the command runs. A command that does not read its input would block or
/// kill that writer.
enum SpooledInput {
  /// Returns a descriptor to read `bytes` from. The caller must close it.
  static func open(_ bytes: Data) throws -> CInt {
    guard !bytes.isEmpty else {
      let descriptor = FileDescriptor.open("/dev/null", O_RDONLY)
      guard descriptor >= 0 else { throw StepFailure("/dev/null: \(systemError())") }
      return descriptor
    }
    let name = "playground-input-" + UUID().uuidString
    let path = FileManager.default.temporaryDirectory.path + "/" + name
    let descriptor = FileDescriptor.open(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    guard descriptor >= 0 else { throw writingFailure(path) }
    unlink(path)
    do {
      try FileDescriptor.write(bytes, to: descriptor, path)
    } catch {
      close(descriptor)
      throw error
    }
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }
}
