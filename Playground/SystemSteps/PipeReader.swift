import AsyncPatterns

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads a pipe until the last writer has closed it.
final class PipeReader: Polled {
  /// Which bytes are kept, the first or the last, if there are more than the limit.
  enum Capacity: Sendable {
    case first(Int)
    case last(Int)
  }

  private struct State {
    var data = Data()
    var isOverflowing = false
    var isStopped = false
    var isClosed = false
    var waiters: [CheckedContinuation<Void, Never>] = []
    var writeEnd: CInt?
  }

  private static let chunk = 64 << 10

  private let readEnd: CInt
  private let poller: PipePoller
  private let state: Locked<State>
  private let capacity: Capacity
  private let onOverflow: @Sendable () -> Void

  /// Opens the pipe and starts to read. The caller must eventually call `stop`.
  ///
  /// - Parameter onOverflow: called once, when more than the limit of `.first` has been read; never with `.last`.
  init(keeping capacity: Capacity, onOverflow: @escaping @Sendable () -> Void = {}) throws {
    poller = try PipePoller.shared.get()
    let (readEnd, writeEnd) = try FileDescriptor.pipe()
    _ = fcntl(readEnd, F_SETFL, O_NONBLOCK)
    self.readEnd = readEnd
    self.capacity = capacity
    self.onOverflow = onOverflow
    state = Locked(State(writeEnd: writeEnd))
    poller.add(self)
  }

  /// The bytes that have been kept so far.
  var data: Data { state.withLock { $0.data } }

  /// The end of the pipe to write to. The caller now owns it and must close it.
  func takeWriteEnd() -> CInt {
    state.withLock { state in
      defer { state.writeEnd = nil }
      return state.writeEnd ?? -1
    }
  }

  /// Stops reading, even if there are still writers.
  func stop() {
    state.withLock { $0.isStopped = true }
    poller.wake()
  }

  /// Returns when everything has been read or reading has been stopped.
  func end() async {
    await withCheckedContinuation { continuation in
      let isClosed = state.withLock { state in
        if !state.isClosed { state.waiters.append(continuation) }
        return state.isClosed
      }
      if isClosed { continuation.resume() }
    }
  }

  // MARK: On the poller's thread

  var descriptor: CInt { readEnd }
  var isStopped: Bool { state.withLock { $0.isStopped } }

  func receive() -> Bool {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, initialized in
      count = read(readEnd, buffer.baseAddress, buffer.count)
      initialized = max(count, 0)
    }
    if count < 0 { return errno == EAGAIN || errno == EINTR }
    if keep(bytes) { onOverflow() }
    return count > 0
  }

  /// Stores `bytes`. Returns true the first time that the limit of `.first` is exceeded.
  private func keep(_ bytes: [UInt8]) -> Bool {
    state.withLock { state in
      switch capacity {
      case .first(let limit):
        guard !state.isOverflowing else { return false }
        state.isOverflowing = state.data.count + bytes.count > limit
        if !state.isOverflowing { state.data.append(contentsOf: bytes) }
        return state.isOverflowing
      case .last(let limit):
        state.data.append(contentsOf: bytes)
        if state.data.count > 2 * limit { state.data = Data(state.data.suffix(limit)) }
        return false
      }
    }
  }

  func finish() {
    let (waiters, writeEnd) = state.withLock { state in
      state.isClosed = true
      defer {
        state.waiters = []
        state.writeEnd = nil
      }
      return (state.waiters, state.writeEnd)
    }
    close(readEnd)
    if let writeEnd { close(writeEnd) }
    for waiter in waiters { waiter.resume() }
  }
}
