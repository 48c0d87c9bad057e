import Foundation
import Glibc

/// A named pipe through which a program under test can notify the test that it has reached a certain point.
struct NamedPipe {
  let path: String

  init(_ path: String) throws {
    self.path = path
    guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  /// Sends a line to the present or future reader.
  func write(_ line: String) {
    // It is opened for reading too, so that opening does not wait for a reader. The descriptor stays open, so that the
    // unread line is kept.
    let end = open(path, O_RDWR | O_CLOEXEC)
    let bytes = Array((line + "\n").utf8)
    _ = Glibc.write(end, bytes, bytes.count)
  }

  /// The first line that is written; nil if none comes within 20 seconds.
  func line() async -> String? {
    let path = path
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        // It is opened for writing too, so that opening does not wait for a writer.
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

/// A named pipe that processes keep open as long as they live.
final class HeldPipe: Sendable {
  private let end: CInt

  /// - Parameter path: the path of the pipe, which is created here.
  init(_ path: String) throws {
    guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    end = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  }

  deinit { close(end) }

  /// Waits until a process writes to the pipe; false after 20 seconds without that. It reads nothing.
  func isWrittenTo() async -> Bool { await happens(Int16(POLLIN)) }

  /// Waits until the last process that has the pipe open for writing closes it; false after 20 seconds without that.
  func isReleased() async -> Bool { await happens(0) }

  /// The text written since the last call.
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
