import Synchronization

/// A reader of a channel hangs if it is cancelled before it waits.
///
/// Source: apple/swift-async-algorithms#80. The cancellation handler of `AsyncChannel.next()` may run before the reader
/// has stored its continuation. The handler then found no reader and did nothing, and nothing resumed the reader later.
/// The fix leaves a mark, and the reader that finds its mark ends immediately.
///
/// The state has a lock here as in the original. Both sections with the lock are short; the race is about their order,
/// which depends on whether the reader or its canceller runs first.
enum CancelledReader {
  static let bug = PublicBug(
    "a reader that is cancelled before it waits hangs", in: "apple/swift-async-algorithms", 80
  ) { version in
    let channel = Channel(version)
    let reader = Task { await channel.next() }
    let canceller = Task { reader.cancel() }
    _ = await reader.value
    await canceller.value
  }

  final class Channel: Sendable {
    private enum Waiter {
      case suspended(UnsafeContinuation<Int?, Never>)
      case cancelled
    }

    private enum Emission {
      case idle
      case awaiting([Int: Waiter])
    }

    private struct State {
      var emission = Emission.idle
      var generation = 0
    }

    private let version: Version
    private let state = Mutex(State())

    init(_ version: Version) { self.version = version }

    func next() async -> Int? {
      let generation = state.withLock { state in
        state.generation += 1
        return state.generation
      }
      return await withTaskCancellationHandler {
        await next(generation)
      } onCancel: {
        cancel(generation)
      }
    }

    private func next(_ generation: Int) async -> Int? {
      await withUnsafeContinuation { continuation in
        let isCancelled = state.withLock { state in
          var waiters: [Int: Waiter] = [:]
          if case .awaiting(let others) = state.emission { waiters = others }
          let mark = waiters.removeValue(forKey: generation)
          if mark == nil { waiters[generation] = .suspended(continuation) }
          state.emission = waiters.isEmpty ? .idle : .awaiting(waiters)
          return mark != nil
        }
        if isCancelled { continuation.resume(returning: nil) }
      }
    }

    private func cancel(_ generation: Int) {
      let waiter: Waiter? = state.withLock { state in
        switch state.emission {
        case .awaiting(var waiters):
          let waiter = waiters.removeValue(forKey: generation)
          state.emission = waiters.isEmpty ? .idle : .awaiting(waiters)
          return waiter
        case .idle:
          if version == .after { state.emission = .awaiting([generation: .cancelled]) }
          return nil
        }
      }
      if case .suspended(let continuation) = waiter { continuation.resume(returning: nil) }
    }
  }
}
