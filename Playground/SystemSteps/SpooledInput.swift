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

/// A command's whole standard input, in a file without a name.
///
/// A pipe would need somebody to write to it while the command runs, and a command that does not read
/// its input would stop or kill the writer.
enum SpooledInput {
  /// A descriptor that yields `bytes`; it is the caller's to close.
  static func open(_ bytes: Data) throws -> CInt {
    guard !bytes.isEmpty else {
      let descriptor = FileDescriptor.open("/dev/null", O_RDONLY)
      guard descriptor >= 0 else { throw StepFailure("/dev/null: \(systemError())") }
      return descriptor
    }
    let folder = FileManager.default.temporaryDirectory.path
    let (path, descriptor) = try FileDescriptor.createUnique(in: folder, for: folder + "/input")
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
