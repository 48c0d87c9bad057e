import AsyncPatterns
import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An object that the poller's thread waits for.
protocol Polled: AnyObject, Sendable {
  /// Becomes readable when an event has occurred.
  var descriptor: CInt { get }
  /// Whether the poller must stop waiting for it.
  var isStopped: Bool { get }
  /// Handles the event. Returns whether more events may follow.
  func receive() -> Bool
  /// Called once at the end. The poller no longer uses the descriptor.
  func finish()
}

/// The only thread that waits for all pipes and for the ends of processes.
///
/// Dispatch sources cannot be used for this: on Linux they sometimes crash if a pipe is closed while its source is
/// cancelled.
final class PipePoller: Sendable {
  /// The poller, or the error that prevented its creation.
  static let shared = Result { try PipePoller() }

  private struct State {
    var polled: [any Polled] = []
    var isRunning = false
  }

  private let state = Locked(State())
  /// A byte written here wakes the thread, which then updates the list of objects it waits for.
  private let wakeUp: (readEnd: CInt, writeEnd: CInt)

  private init() throws {
    wakeUp = try FileDescriptor.pipe()
    for end in [wakeUp.readEnd, wakeUp.writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  /// Waits for `one` until it has no more events or has been stopped.
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
        let isFinished = one.isStopped || (descriptor.revents != 0 && !one.receive())
        if isFinished { finish(one) }
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
