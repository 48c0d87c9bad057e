import Synchronization

/// A send ignores its cancellation if no task reads from the channel any more.
///
/// Source: apple/swift-async-algorithms#131, fixed by #132. `AsyncChannel.send` suspends until a reader takes the
/// element, without a cancellation handler. When the readers end first, the sender hangs although it was cancelled. The
/// fix treats a cancelled send as the end of the channel.
///
/// The state has a lock here as in the original. Whether the sender hangs depends on whether it meets the reader before
/// both are cancelled.
enum UncancellableSend {
  static let bug = PublicBug(
    "a cancelled send without a reader hangs", in: "apple/swift-async-algorithms", 131
  ) { version in
    let channel = Channel(version)
    let sender = Task { await channel.send(1) }
    let reader = Task { Task.isCancelled ? nil : await channel.next() }
    let canceller = Task {
      sender.cancel()
      reader.cancel()
    }
    _ = await reader.value
    await sender.value
    await canceller.value
  }

  final class Channel: Sendable {
    private enum Emission {
      case idle
      case pending(element: Int, UnsafeContinuation<Void, Never>)
      case awaiting(UnsafeContinuation<Int?, Never>)
      case finished
    }

    private let version: Version
    private let emission = Mutex(Emission.idle)

    init(_ version: Version) { self.version = version }

    func send(_ element: Int) async {
      await withTaskCancellationHandler {
        await withUnsafeContinuation { continuation in
          let action: () -> Void = emission.withLock { emission in
            switch emission {
            case .idle, .pending:
              emission = .pending(element: element, continuation)
              return {}
            case .awaiting(let reader):
              emission = .idle
              return {
                reader.resume(returning: element)
                continuation.resume()
              }
            case .finished:
              return { continuation.resume() }
            }
          }
          action()
        }
      } onCancel: {
        if version == .after { finish() }
      }
    }

    func next() async -> Int? {
      await withTaskCancellationHandler {
        await withUnsafeContinuation { continuation in
          let action: () -> Void = emission.withLock { emission in
            switch emission {
            case .idle, .awaiting:
              emission = .awaiting(continuation)
              return {}
            case .pending(let element, let sender):
              emission = .idle
              return {
                sender.resume()
                continuation.resume(returning: element)
              }
            case .finished:
              return { continuation.resume(returning: nil) }
            }
          }
          action()
        }
      } onCancel: {
        cancelReader()
      }
    }

    private func cancelReader() {
      let reader: UnsafeContinuation<Int?, Never>? = emission.withLock { emission in
        guard case .awaiting(let reader) = emission else { return nil }
        emission = .idle
        return reader
      }
      reader?.resume(returning: nil)
    }

    private func finish() {
      let last = emission.withLock { emission in
        defer { emission = .finished }
        return emission
      }
      switch last {
      case .pending(_, let sender): sender.resume()
      case .awaiting(let reader): reader.resume(returning: nil)
      case .idle, .finished: break
      }
    }
  }
}
