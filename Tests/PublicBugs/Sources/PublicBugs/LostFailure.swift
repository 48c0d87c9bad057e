import Synchronization

/// A debounced sequence loses the error of its base while its reader is busy.
///
/// Source: apple/swift-async-algorithms#450, with the fix of #451. When the base throws while no reader waits in
/// `next()`, `debounce` goes to the state “finished” and discards the error. The next `next()` returns `nil`, as if the
/// base had ended well. The fix keeps the error for that call. An older issue, #269, was about the same error: the
/// reader hung in each run, until #254 fixed that.
///
/// The state has a lock here as in the original. The original asks its base for an element only on demand; here the
/// base is always read, and the newest element kept.
enum LostFailure {
  static let bug = PublicBug(
    "the error of a base is lost while its reader is busy", in: "apple/swift-async-algorithms", 450
  ) { version in
    let (base, producer) = AsyncThrowingStream<Int, any Error>.makeStream()
    let debounce = Debounce(base, for: .milliseconds(1), version)
    let failing = Task {
      producer.yield(1)
      try await Task.sleep(for: .milliseconds(1))
      producer.finish(throwing: Interrupted())
    }
    do {
      _ = try await debounce.next()
      // The reader is busy for a moment, at about the time when the base fails.
      await Task.yield()
      while try await debounce.next() != nil {}
      throw Symptom("the base threw, but the debounced sequence ended without an error")
    } catch is Interrupted {}
    try await failing.value
  }

  struct Interrupted: Error {}

  final class Debounce: Sendable {
    private typealias Reader = UnsafeContinuation<Int?, any Error>

    private enum State {
      case initial
      case waitingForDemand(newest: Int?)
      case demandSignalled(Reader)
      case debouncing(Int, wait: Int, Reader)
      case upstreamFailure(any Error)
      case finished
    }

    private let base: AsyncThrowingStream<Int, any Error>
    private let interval: Duration
    private let version: Version
    private let state = Mutex((state: State.initial, waits: 0))

    init(_ base: AsyncThrowingStream<Int, any Error>, for interval: Duration, _ version: Version) {
      self.base = base
      self.interval = interval
      self.version = version
    }

    func next() async throws -> Int? {
      try await withUnsafeThrowingContinuation { continuation in
        let result: Result<Int?, any Error>? = state.withLock { both in
          switch both.state {
          case .initial:
            both.state = .demandSignalled(continuation)
            Task { await readBase() }
            return nil
          case .waitingForDemand(let newest?):
            both.state = .waitingForDemand(newest: nil)
            return .success(newest)
          case .waitingForDemand(nil), .demandSignalled, .debouncing:
            both.state = .demandSignalled(continuation)
            return nil
          case .upstreamFailure(let error):
            both.state = .finished
            return .failure(error)
          case .finished:
            return .success(nil)
          }
        }
        if let result { continuation.resume(with: result) }
      }
    }

    private func readBase() async {
      do {
        for try await element in base { produced(element) }
        ended(with: nil)
      } catch {
        ended(with: error)
      }
    }

    private func produced(_ element: Int) {
      let wait: Int? = state.withLock { both in
        switch both.state {
        case .demandSignalled(let reader), .debouncing(_, _, let reader):
          both.waits += 1
          both.state = .debouncing(element, wait: both.waits, reader)
          return both.waits
        case .waitingForDemand:
          both.state = .waitingForDemand(newest: element)
          return nil
        case .initial, .upstreamFailure, .finished:
          return nil
        }
      }
      guard let wait else { return }
      Task {
        try? await Task.sleep(for: interval)
        waited(wait)
      }
    }

    private func waited(_ wait: Int) {
      let ready: (element: Int, reader: Reader)? = state.withLock { both in
        guard case .debouncing(let element, wait, let reader) = both.state else { return nil }
        both.state = .waitingForDemand(newest: nil)
        return (element, reader)
      }
      ready?.reader.resume(returning: ready?.element)
    }

    private func ended(with error: (any Error)?) {
      let reader: Reader? = state.withLock { both in
        switch both.state {
        case .demandSignalled(let reader), .debouncing(_, _, let reader):
          both.state = .finished
          return reader
        case .waitingForDemand:
          both.state =
            if let error, version == .after { .upstreamFailure(error) } else { .finished }
          return nil
        case .initial, .upstreamFailure, .finished:
          return nil
        }
      }
      reader?.resume(with: error.map { .failure($0) } ?? .success(nil))
    }
  }
}
