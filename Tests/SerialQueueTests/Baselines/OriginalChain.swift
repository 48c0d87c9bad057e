import AsyncSimulation

/// GSPromise and its manager as they work in the original: handlers in a list, and a flag for whether one runs. `then`
/// removes the first handler and starts the next one. A lock protects only the data, so that the faults of the logic
/// show and no others.
final class OriginalChain: Sendable {
  typealias Handler = @Sendable (_ then: @escaping @Sendable () -> Void) -> Void

  private let promises = Locked<[Handler]>([])
  private let working = Locked(false)
  /// Called where another thread may run in between.
  private let pause: @Sendable () -> Void

  init(pause: @escaping @Sendable () -> Void = {}) { self.pause = pause }

  func append(_ handler: @escaping Handler) {
    promises.withLock { $0.append(handler) }
    if working.withLock({ $0 }) { return }
    pause()
    working.withLock { $0 = true }
    next()
  }

  private func next() {
    guard let promise = promises.withLock({ $0.first }) else {
      return working.withLock { $0 = false }
    }
    promise { [self] in
      promises.withLock { if !$0.isEmpty { $0.removeFirst() } }
      next()
    }
  }
}
