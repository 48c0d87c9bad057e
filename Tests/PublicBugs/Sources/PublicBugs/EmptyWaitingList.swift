import Synchronization

/// A channel still expects a reader after its last reader was cancelled, so the next send crashes.
///
/// Source: apple/swift-async-algorithms#142, fixed by #143. When `AsyncChannel` removed its last reader, it kept the
/// state “awaiting” with an empty set. The next `send` took the first reader of the empty set, which is a crash. The
/// fix returns to the state “idle”.
///
/// The rewritten `send` throws where the original crashes. The state has a lock here as in the original. The race is
/// about which of three tasks runs first.
enum EmptyWaitingList {
  static let bug = PublicBug(
    "a send after the last reader was cancelled crashes", in: "apple/swift-async-algorithms", 142
  ) { version in
    let channel = Channel(version)
    let reader = Task { await channel.next() }
    let sender = Task { try await channel.send(1) }
    let canceller = Task { reader.cancel() }
    if await reader.value == nil {
      // The element is still to be read.
      let second = Task { await channel.next() }
      do {
        try await sender.value
      } catch {
        second.cancel()
        throw error
      }
      _ = await second.value
    }
    await canceller.value
    try await sender.value
  }

  final class Channel: Sendable {
    private enum Waiter {
      case suspended(UnsafeContinuation<Int?, Never>)
      case cancelled
    }

    private enum Emission {
      case idle
      case pending([(element: Int, sender: UnsafeContinuation<Void, any Error>)])
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

    func send(_ element: Int) async throws {
      try await withUnsafeThrowingContinuation { continuation in
        let result: Result<UnsafeContinuation<Int?, Never>?, Symptom>? = state.withLock { state in
          switch state.emission {
          case .idle:
            state.emission = .pending([(element, continuation)])
            return nil
          case .pending(let senders):
            state.emission = .pending(senders + [(element, continuation)])
            return nil
          case .awaiting(var waiters):
            guard let first = waiters.keys.min() else {
              return .failure(Symptom("the channel waits for readers, but has none: a crash"))
            }
            let waiter = waiters.removeValue(forKey: first)
            state.emission = waiters.isEmpty ? .idle : .awaiting(waiters)
            if case .suspended(let reader) = waiter { return .success(reader) }
            return .success(nil)
          }
        }
        switch result {
        case .success(let reader):
          reader?.resume(returning: element)
          continuation.resume()
        case .failure(let symptom): continuation.resume(throwing: symptom)
        case nil: break
        }
      }
    }

    private func next(_ generation: Int) async -> Int? {
      await withUnsafeContinuation { continuation in
        let action: (() -> Void)? = state.withLock { state in
          switch state.emission {
          case .idle:
            state.emission = .awaiting([generation: .suspended(continuation)])
            return nil
          case .pending(var senders):
            let (element, sender) = senders.removeFirst()
            state.emission = senders.isEmpty ? .idle : .pending(senders)
            return {
              sender.resume()
              continuation.resume(returning: element)
            }
          case .awaiting(var waiters):
            guard waiters.removeValue(forKey: generation) == nil else {
              setAwaiting(waiters, in: &state)
              return { continuation.resume(returning: nil) }
            }
            waiters[generation] = .suspended(continuation)
            state.emission = .awaiting(waiters)
            return nil
          }
        }
        action?()
      }
    }

    private func cancel(_ generation: Int) {
      let waiter: Waiter? = state.withLock { state in
        switch state.emission {
        case .awaiting(var waiters):
          let waiter = waiters.removeValue(forKey: generation)
          setAwaiting(waiters, in: &state)
          return waiter
        case .idle:
          state.emission = .awaiting([generation: .cancelled])
          return nil
        case .pending:
          return nil
        }
      }
      if case .suspended(let continuation) = waiter { continuation.resume(returning: nil) }
    }

    private func setAwaiting(_ waiters: [Int: Waiter], in state: inout State) {
      state.emission = version == .after && waiters.isEmpty ? .idle : .awaiting(waiters)
    }
  }
}
