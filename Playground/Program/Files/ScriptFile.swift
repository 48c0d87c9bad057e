import Foundation
import PlaygroundLanguage

/// Reads scripts.
enum ScriptFile {
  /// The greatest length of a script, in bytes. It stops the reading of endless input, such as a pipe from `yes`.
  static let longest = 256 << 20

  /// Reads a script on a thread of its own, since a pipe can block its reader indefinitely.
  ///
  /// - Throws: a `CommandError` with the reason if the file cannot be read; a `Diagnostic` if it is not text.
  static func read(_ path: String) async throws -> Source {
    let bytes = try await reading { try Self.bytes(of: path, atMost: longest) }
    return try Source(name: path == "-" ? "<stdin>" : path, bytes: bytes)
  }

  /// Reads all of a pipe that may contain saved runs. `-` is standard input.
  static func pipe(_ path: String) async throws -> [UInt8] {
    let path = FilePath.resolve(path)
    return try await reading { try bytes(of: path, atMost: longestRuns) }
  }

  /// The greatest length of runs from a pipe, in bytes.
  private static let longestRuns = 4 << 30

  private static func reading(
    _ body: @escaping @Sendable () throws -> [UInt8]
  ) async throws -> [UInt8] {
    try await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: Result { try body() }) }.start()
    }.get()
  }

  private static func bytes(of path: String, atMost longest: Int) throws -> [UInt8] {
    let name = path == "-" ? "standard input" : "“\(path)”"
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandError(
        errno == ENOENT
          ? "there is no file \(name)"
          : "\(name) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { if path != "-" { close(descriptor) } }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      switch Foundation.read(descriptor, &part, part.count) {
      case 0: return bytes
      case let count where count > 0:
        bytes += part[..<count]
        guard bytes.count <= longest else {
          throw longest == Self.longest
            ? CommandError(
              "\(name) is larger than \(longest >> 20) MB, the limit for a script",
              hint: "move parts of it to other files, and run them: source part.play")
            : CommandError("\(name) is larger than \(longest >> 20) MB, the limit for reading")
        }
      case _ where errno == EINTR: continue
      case _ where errno == EISDIR:
        throw CommandError("\(name) is a folder, not a script")
      default:
        throw CommandError("\(name) cannot be read: \(String(cString: strerror(errno)))")
      }
    }
  }
}
