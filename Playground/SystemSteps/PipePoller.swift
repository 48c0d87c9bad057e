import AsyncPatterns
import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the poller's thread waits for.
protocol Polled: AnyObject, Sendable {
  /// Can be read when something has happened.
  var descriptor: CInt { get }
  /// Whether nobody wants to know any more.
  var isStopped: Bool { get }
  /// Takes what has happened, and tells whether more may come.
  func receive() -> Bool
  /// It is over: nobody uses the descriptor any more.
  func finish()
}

/// The one thread that waits for all pipes, and for the ends of processes.
///
/// Dispatch's own sources are no way to do this: on Linux they crash now and then when a pipe is hung
/// up while its source is cancelled.
final class PipePoller: Sendable {
  /// Or why there is none.
  static let shared = Result { try PipePoller() }

  private struct State {
    var polled: [any Polled] = []
    var isRunning = false
  }

  private let state = Locked(State())
  /// A byte in here makes the thread look anew at what it waits for.
  private let wakeUp: (readEnd: CInt, writeEnd: CInt)

  private init() throws {
    wakeUp = try FileDescriptor.pipe()
    for end in [wakeUp.readEnd, wakeUp.writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  /// Waits for `one` until it is over or has been stopped.
  func add(_ one: any Polled) {
    let mustStart = state.withLock { state in
      state.polled.append(one)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { DispatchQueue(label: "pipes").async { self.run() } }
    wake()
  }

  func wake() { _ = write(wakeUp.writeEnd, [0], 1) }

  private func run() -> Never {
    while true {
      let polled = state.withLock { $0.polled }
      var descriptors = polled.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      descriptors.append(pollfd(fd: wakeUp.readEnd, events: Int16(POLLIN), revents: 0))
      poll(&descriptors, nfds_t(descriptors.count), -1)
      if descriptors.last?.revents != 0 { drainWakeUp() }
      for (one, descriptor) in zip(polled, descriptors) {
        let isOver = one.isStopped || (descriptor.revents != 0 && !one.receive())
        if isOver { finish(one) }
      }
    }
  }

  private func finish(_ one: any Polled) {
    state.withLock { $0.polled.removeAll { $0 === one } }
    one.finish()
  }

  private func drainWakeUp() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(wakeUp.readEnd, &bytes, bytes.count) == bytes.count {}
  }
}
