import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A new folder for one test.
struct Folder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
  }

  /// The contents of a file, or of a named pipe after a process has written to it.
  func read(_ name: String) throws -> Data {
    let handle = try #require(FileHandle(forReadingAtPath: file(name)))
    defer { try? handle.close() }
    return try handle.readToEnd() ?? Data()
  }

  func makeFifo(_ name: String) throws { try #require(mkfifo(file(name), 0o600) == 0) }

  /// Waits until the file contains a number, and returns the number.
  func awaitNumber(_ name: String) throws -> pid_t {
    while true {
      if let text = FileManager.default.contents(atPath: file(name)),
        text.last == UInt8(ascii: "\n")
      {
        return try #require(pid_t(String(decoding: text.dropLast(), as: UTF8.self)))
      }
      sched_yield()
    }
  }
}
