import Dispatch
import Foundation

/// A stream that text is written to, one piece at a time, from any thread.
///
/// A slow reader can block the writer indefinitely.
final class LineOutput: Sendable {
  let descriptor: Int32
  /// The permit to write.
  private let turn = DispatchSemaphore(value: 1)

  init(_ file: FileHandle) { descriptor = file.fileDescriptor }

  /// Writes all of `text`.
  ///
  /// - Returns: the `errno` of a failure; nil if all of it was written.
  func write(_ text: String) -> Int32? { write { text } }

  /// Writes the text that `text` returns. Calls `text` while no other text is written.
  func write(_ text: () -> String) -> Int32? {
    turn.wait()
    defer { turn.signal() }
    return write(text(), within: -1)
  }

  /// Writes all of `text`, but waits at most `limit` for the permit, and at most `limit` each time for room. After that
  /// it gives up and returns `EAGAIN`. For code that ends the program and cannot wait.
  func writeLast(_ text: String, within limit: Duration) -> Int32? {
    write(within: limit) { text }
  }

  /// Does the same as `writeLast` with the text that `text` returns. Calls `text` while no other text is written.
  func write(within limit: Duration, _ text: () -> String) -> Int32? {
    let milliseconds = Int(limit / .milliseconds(1))
    guard turn.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else {
      return EAGAIN
    }
    defer { turn.signal() }
    return write(text(), within: Int32(milliseconds))
  }

  /// Takes the permit forever, so that nothing more is written while the caller ends the program.
  ///
  /// - Returns: whether the writes in progress have completed; false if that would have taken longer than `limit`.
  func close(within limit: Duration) -> Bool {
    turn.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1)))) == .success
  }

  /// - Parameter patience: how many milliseconds to wait for room, each time. A negative number waits forever.
  private func write(_ text: String, within patience: Int32) -> Int32? {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      if patience >= 0, !hasRoom(within: patience) { return EAGAIN }
      // A pipe with room takes this many bytes without blocking.
      let part = patience >= 0 ? bytes.prefix(Int(PIPE_BUF)) : bytes
      let count = part.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno == EAGAIN {
        if !hasRoom(within: patience) { return EAGAIN }
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }

  private func hasRoom(within patience: Int32) -> Bool {
    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&ready, 1, patience) != 0
  }
}
