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

  /// Whether somebody begins to write to it; false if nobody does for so long that nobody will. Nothing is read.
  func isWrittenTo() async -> Bool { await happens(Int16(POLLIN)) }

  /// Whether the last of those who have it open for writing lets go of it; false if nobody does for so long
  /// that nobody will.
  func isLetGo() async -> Bool { await happens(0) }

  /// What has been written to it since this was asked last.
  func text() -> String {
    var text: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(end, &part, part.count), count > 0 { text += part[..<count] }
    return String(decoding: text, as: UTF8.self)
  }

  private func happens(_ events: Int16) async -> Bool {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        var polled = pollfd(fd: end, events: events, revents: 0)
        let hasHappened =
          poll(&polled, 1, 20_000) > 0 && (events == 0 || polled.revents & events != 0)
        continuation.resume(returning: hasHappened)
      }
    }
  }
}
