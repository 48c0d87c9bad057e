import Dispatch
import Foundation

/// A stream that text is written to, a piece at a time, from any thread.
///
/// Whoever reads it may let the writer wait for as long as it likes.
final class LineOutput: Sendable {
  let descriptor: Int32
  /// A permit for the one who writes.
  private let turn = DispatchSemaphore(value: 1)

  init(_ file: FileHandle) { descriptor = file.fileDescriptor }

  /// Writes all of `text`.
  ///
  /// - Returns: why it could not be written, by `errno`; nil if it was.
  func write(_ text: String) -> Int32? {
    turn.wait()
    defer { turn.signal() }
    return write(text, within: -1)
  }

  /// The same where nobody is left to wait: it is given up when `limit` is over.
  func writeLast(_ text: String, within limit: Duration) -> Int32? {
    let milliseconds = Int(limit / .milliseconds(1))
    guard turn.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else {
      return EAGAIN
    }
    defer { turn.signal() }
    return write(text, within: Int32(milliseconds))
  }

  /// Nobody is to write any more: the turn is taken for good, by the one who ends the program.
  ///
  /// - Returns: whether all that was begun has been written; false if `limit` was over before.
  func close(within limit: Duration) -> Bool {
    turn.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1)))) == .success
  }

  /// - Parameter patience: how many milliseconds to wait for room, each time; below zero for ever.
  private func write(_ text: String, within patience: Int32) -> Int32? {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      if patience >= 0, !hasRoom(within: patience) { return EAGAIN }
      // What a pipe that has room takes at once.
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
