import Foundation
import Glibc

/// A pipe with a name, through which a program under test can say that it has come somewhere.
struct NamedPipe {
  let path: String

  init(_ path: String) throws {
    self.path = path
    guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  /// Hands a line to the one who waits for it, or will.
  func write(_ line: String) {
    // Open for reading too, so that opening waits for nobody; the descriptor stays, and with it
    // what nobody has read yet.
    let end = open(path, O_RDWR | O_CLOEXEC)
    let bytes = Array((line + "\n").utf8)
    _ = Glibc.write(end, bytes, bytes.count)
  }

  /// What somebody writes first; nil if nobody does for so long that nobody will.
  func line() async -> String? {
    let path = path
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        // Open for writing too, so that opening waits for nobody.
        let end = open(path, O_RDWR | O_CLOEXEC)
        defer { close(end) }
        var polled = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, 20_000) > 0 else { return continuation.resume(returning: nil) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = max(0, read(end, &bytes, bytes.count))
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        continuation.resume(returning: text.trimmingCharacters(in: .whitespacesAndNewlines))
      }
    }
  }
}

/// A pipe with a name that processes hold on to for as long as they live.
final class HeldPipe: Sendable {
  private let end: CInt

  /// - Parameter path: of a pipe that is made here.
  init(_ path: String) throws {
    guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    end = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  }

  deinit { close(end) }

  /// Whether the last of those who have it open for writing lets go of it; false if nobody does for so long
  /// that nobody will.
  func isLetGo() async -> Bool {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        var polled = pollfd(fd: end, events: 0, revents: 0)
        continuation.resume(returning: poll(&polled, 1, 20_000) > 0)
      }
    }
  }
}
