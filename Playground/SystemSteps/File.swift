public import AsyncPatterns
import FileWriting

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A regular file, identified by its path as written. A leading `~` is the home directory.
public struct File: Sendable {
  /// The size of the largest file that can be read, in bytes.
  static let limit = 1 << 30

  let path: String

  /// - Throws: `ArgumentError` for a path that is not valid.
  public init(_ written: String) throws(ArgumentError) {
    guard !written.isEmpty else {
      throw ArgumentError("the path is empty; name a file", parameter: "path")
    }
    guard !written.utf8.contains(0) else {
      throw ArgumentError("a path cannot contain the character NUL", parameter: "path")
    }
    let isInHome = written == "~" || written.hasPrefix("~/")
    path = isInHome ? Self.home + written.dropFirst() : written
  }

  private static var home: String {
    if let home = ProcessInfo.processInfo.environment["HOME"], !home.isEmpty { return home }
    return FileManager.default.homeDirectoryForCurrentUser.path
  }

  /// Reads the complete contents.
  func read() throws -> Data {
    // Without O_NONBLOCK, opening a named pipe would block until there is a writer.
    let descriptor = FileDescriptor.open(path, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else { throw StepFailure("\(path): \(systemError())") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw StepFailure("\(path): \(systemError())") }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw StepFailure("\(path): it is a folder; name a file in it")
    default: throw notRegular(instead: "sh \"cat …\"")
    }
    return try FileDescriptor.readAll(descriptor, upTo: Self.limit, path)
  }

  /// Replaces the contents, or creates the file, atomically. If the replacement fails or is cancelled, nothing changes.
  ///
  /// - Throws: `StepFailure`, with the path and the reason, or `CancellationError`.
  public func replace(with bytes: Data) throws {
    let failure = { [path] (fault: FileReplacement.Fault) -> any Error in
      StepFailure("\(path): it cannot be written: \(fault.reason)")
    }
    let place: FileReplacement
    do throws(FileReplacement.Fault) { place = try FileReplacement(path) } catch {
      throw failure(error)
    }
    guard place.kind != .other else { throw notRegular(instead: "sh \"cat > …\"") }
    try place.write(orThrow: failure) { descriptor throws(any Error) in
      try FileDescriptor.write(bytes, to: descriptor, path)
      try Task.checkCancellation()
    }
  }

  private func notRegular(instead: String) -> StepFailure {
    StepFailure("\(path): it is not a regular file; name one, or use \(instead)")
  }
}
