import AsyncPatterns
import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The one thread that waits for all pipes.
///
/// Dispatch's own sources are no way to do this: on Linux they crash now and then when a pipe is hung
/// up while its source is cancelled.
final class PipePoller: Sendable {
  /// Or why there is none.
  static let shared = Result { try PipePoller() }

  private struct State {
    var readers: [PipeReader] = []
    var isRunning = false
  }

  private let state = Locked(State())
  /// A byte in here makes the thread look at the readers anew.
  private let wakeUp: (readEnd: CInt, writeEnd: CInt)

  private init() throws {
    wakeUp = try FileDescriptor.pipe()
    for end in [wakeUp.readEnd, wakeUp.writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  /// Reads from `reader` until it is over or has been stopped.
  func add(_ reader: PipeReader) {
    let mustStart = state.withLock { state in
      state.readers.append(reader)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { DispatchQueue(label: "pipes").async { self.run() } }
    wake()
  }

  func wake() { _ = write(wakeUp.writeEnd, [0], 1) }

  private func run() -> Never {
    while true {
      let readers = state.withLock { $0.readers }
      var descriptors = readers.map { pollfd(fd: $0.readEnd, events: Int16(POLLIN), revents: 0) }
      descriptors.append(pollfd(fd: wakeUp.readEnd, events: Int16(POLLIN), revents: 0))
      poll(&descriptors, nfds_t(descriptors.count), -1)
      if descriptors.last?.revents != 0 { drainWakeUp() }
      for (reader, descriptor) in zip(readers, descriptors) {
        let isOver = reader.isStopped || (descriptor.revents != 0 && !reader.receive())
        if isOver { finish(reader) }
      }
    }
  }

  private func finish(_ reader: PipeReader) {
    state.withLock { $0.readers.removeAll { $0 === reader } }
    reader.finish()
  }

  private func drainWakeUp() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(wakeUp.readEnd, &bytes, bytes.count) == bytes.count {}
  }
}
