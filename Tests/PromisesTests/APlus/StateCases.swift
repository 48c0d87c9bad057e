import Promises

/// 2.1: a settled promise does not change.
enum StateCases {
  static let all: [APlusCase] = fulfilled + rejected

  private static let fulfilled: [APlusCase] =
    Timing.fulfilled("2.1.2.1", "is never rejected") { trial, promise in
      watchFulfilled(trial, promise)
    }
    + attempts("2.1.2.1", ["fulfilled", "rejected"]) { trial, promise in
      watchFulfilled(trial, promise)
    } _: {
      $0 ? $1.tryResolve(.success(.dummy)) : $1.tryResolve(.failure(Object.dummy))
    }

  private static let rejected: [APlusCase] =
    Timing.rejected("2.1.3.1", "is never fulfilled") { trial, promise in
      watchRejected(trial, promise)
    }
    + attempts("2.1.3.1", ["rejected", "fulfilled"]) { trial, promise in
      watchRejected(trial, promise)
    } _: {
      $0 ? $1.tryResolve(.failure(Object.dummy)) : $1.tryResolve(.success(.dummy))
    }

  private static func watchFulfilled(_ trial: Trial, _ promise: Promise<Object, any Error>) {
    let count = Counter()
    promise.onFulfilled { _ in count.add() }
    promise.onRejected { _ in trial.expect(false, "it was rejected") }
    trial.after(100) {
      trial.expect(count.value == 1, "it was fulfilled \(count.value) times")
      trial.end()
    }
  }

  private static func watchRejected(_ trial: Trial, _ promise: Promise<Object, any Error>) {
    let count = Counter()
    promise.onFulfilled { _ in trial.expect(false, "it was fulfilled") }
    promise.onRejected { _ in count.add() }
    trial.after(100) {
      trial.expect(count.value == 1, "it was rejected \(count.value) times")
      trial.end()
    }
  }

  /// Settles a promise in one way and then tries to settle it in the other.
  private static func attempts(
    _ section: String, _ outcomes: [String],
    watch: @escaping @Sendable (Trial, Promise<Object, any Error>) -> Void,
    _ settle: @escaping @Sendable (_ first: Bool, Promise<Object, any Error>.Resolver) -> Bool
  ) -> [APlusCase] {
    let (first, second) = (outcomes[0], outcomes[1])
    return [
      APlusCase(section, "\(first), then \(second) immediately") { trial in
        let (promise, resolver) = trial.deferred()
        watch(trial, promise)
        trial.expect(settle(true, resolver), "the first call should count")
        trial.expect(!settle(false, resolver), "the second call should not count")
      },
      APlusCase(section, "later \(first), then \(second) immediately") { trial in
        let (promise, resolver) = trial.deferred()
        watch(trial, promise)
        trial.after(50) {
          trial.expect(settle(true, resolver), "the first call should count")
          trial.expect(!settle(false, resolver), "the second call should not count")
        }
      },
      APlusCase(section, "\(first), later \(second)") { trial in
        let (promise, resolver) = trial.deferred()
        watch(trial, promise)
        trial.expect(settle(true, resolver), "the first call should count")
        trial.after(50) {
          trial.expect(!settle(false, resolver), "the second call should not count")
        }
      },
    ]
  }
}
