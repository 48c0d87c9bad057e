import AsyncSimulation

/// GSPromise and its manager, as they work: handlers in a list, a flag that says whether one runs, and a
/// `then` that takes the first out and goes on with the next. Only the data is locked, so that the faults of
/// logic show and no others.
final class OriginalChain: Sendable {
  typealias Handler = @Sendable (_ then: @escaping @Sendable () -> Void) -> Void

  private let promises = Locked<[Handler]>([])
  private let working = Locked(false)
  /// Where others may come in between.
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
