import Synchronization

/// A merged sequence crashes if its reader is cancelled before it asks for the first element.
///
/// Source: apple/swift-async-algorithms#249, fixed by #250. `merge` starts the task that reads its bases when the first
/// element is asked for. Its state machine assumed that no cancellation comes earlier, and a precondition checks this.
/// The fix ends the sequence instead. `zip`, `combineLatest` and `debounce` had the same bug.
///
/// The rewritten state machine records the failed precondition, and the next `next()` throws it. The state has a lock
/// here as in the original. The race is about whether the reader or its canceller runs first.
enum CancelledMerge {
  static let bug = PublicBug(
    "a reader that is cancelled before its first element crashes",
    in: "apple/swift-async-algorithms", 249
  ) { version in
    let merge = Merge(elements(1, 3), elements(2, 4), version)
    let reader = Task {
      var sum = 0
      while let element = try await merge.next() { sum += element }
      return sum
    }
    let canceller = Task { reader.cancel() }
    _ = try await reader.value
    await canceller.value
  }

  private static func elements(_ elements: Int...) -> AsyncStream<Int> {
    AsyncStream { continuation in
      for element in elements { continuation.yield(element) }
      continuation.finish()
    }
  }

  final class Merge: Sendable {
    private typealias Reader = UnsafeContinuation<Int?, any Error>

    private enum State {
      case initial
      case merging(Task<Void, Never>, buffer: [Int], reader: Reader?)
      /// The bases have ended.
      case draining([Int])
      case finished
      case failedPrecondition
    }

    private let first: AsyncStream<Int>
    private let second: AsyncStream<Int>
    private let version: Version
    private let state = Mutex(State.initial)

    init(_ first: AsyncStream<Int>, _ second: AsyncStream<Int>, _ version: Version) {
      self.first = first
      self.second = second
      self.version = version
    }

    func next() async throws -> Int? {
      try await withTaskCancellationHandler {
        try await withUnsafeThrowingContinuation { continuation in
          let result: Result<Int?, any Error>? = state.withLock { ask($0, &$0, continuation) }
          if let result { continuation.resume(with: result) }
        }
      } onCancel: {
        cancel()
      }
    }

    private func ask(
      _ old: State, _ state: inout State, _ reader: Reader
    ) -> Result<Int?, any Error>? {
      switch old {
      case .initial:
        state = .merging(start(), buffer: [], reader: reader)
        return nil
      case .merging(let task, var buffer, _):
        let element = buffer.isEmpty ? nil : buffer.removeFirst()
        state = .merging(task, buffer: buffer, reader: element == nil ? reader : nil)
        return element.map { .success($0) }
      case .draining(var buffer):
        let element = buffer.isEmpty ? nil : buffer.removeFirst()
        state = element == nil ? .finished : .draining(buffer)
        return .success(element)
      case .finished:
        return .success(nil)
      case .failedPrecondition:
        return .failure(Symptom("cancelled before the first element: a failed precondition"))
      }
    }

    private func start() -> Task<Void, Never> {
      Task {
        await withTaskGroup { group in
          for base in [first, second] {
            group.addTask { for await element in base { self.produced(element) } }
          }
        }
        ended()
      }
    }

    private func produced(_ element: Int) {
      let reader: Reader? = state.withLock { state in
        guard case .merging(let task, let buffer, let reader) = state else { return nil }
        state = .merging(task, buffer: reader == nil ? buffer + [element] : buffer, reader: nil)
        return reader
      }
      reader?.resume(returning: element)
    }

    private func ended() {
      let reader: Reader? = state.withLock { state in
        guard case .merging(_, let buffer, let reader) = state else { return nil }
        state = reader == nil ? .draining(buffer) : .finished
        return reader
      }
      reader?.resume(returning: nil)
    }

    private func cancel() {
      let action: () -> Void = state.withLock { state in
        switch state {
        case .initial:
          state = version == .after ? .finished : .failedPrecondition
          return {}
        case .merging(let task, _, let reader):
          state = .finished
          return {
            task.cancel()
            reader?.resume(returning: nil)
          }
        case .draining:
          state = .finished
          return {}
        case .finished, .failedPrecondition:
          return {}
        }
      }
      action()
    }
  }
}
