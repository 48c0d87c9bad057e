import Promises

/// 2.3.1 and 2.3.2: a handler returns a promise.
enum AdoptionCases {
  static let all: [APlusCase] = itself + promises

  private static let itself: [APlusCase] = [
    APlusCase("2.3.1", "its own promise, returned for a fulfilled one") { trial in
      let own = Locked<Promise<Object, any Error>?>(nil)
      let promise = trial.resolved(Object.dummy).then { value in
        own.withLock { $0 } ?? .fulfilled(value)
      }
      own.withLock { $0 = promise }
      expectCycle(trial, promise)
    },
    APlusCase("2.3.1", "its own promise, returned for a rejected one") { trial in
      let own = Locked<Promise<Object, any Error>?>(nil)
      let promise = trial.rejected(Object.dummy).flatMapError {
        _ -> Promise<Object, any Error> in
        own.withLock { $0 } ?? .fulfilled(.other)
      }
      own.withLock { $0 = promise }
      expectCycle(trial, promise)
    },
  ]

  private static func expectCycle(_ trial: Trial, _ promise: Promise<Object, any Error>) {
    promise.onFulfilled { trial.expect(false, "it was fulfilled with \($0)") }
    promise.onRejected { error in
      trial.expect(error is PromiseCycle, "the error was \(error)")
      trial.end()
    }
  }

  private static let promises: [APlusCase] =
    Returning.cases(
      "2.3.2.1", "pending", { $0.deferred(Object.self).promise }, Expected.nothing)
    + Returning.cases(
      "2.3.2.2", "already fulfilled", { $0.resolved(Object.sentinel) }, Expected.value)
    + Returning.cases(
      "2.3.2.2", "eventually fulfilled", { $0.later(.success(.sentinel)) }, Expected.value)
    + Returning.cases(
      "2.3.2.3", "already rejected", { $0.rejected(Object.sentinel) }, Expected.error)
    + Returning.cases(
      "2.3.2.3", "eventually rejected", { $0.later(.failure(Object.sentinel)) }, Expected.error)
}

extension Trial {
  /// A promise that is settled after 50 ms.
  func later(_ result: Result<Object, any Error>) -> Promise<Object, any Error> {
    let (promise, resolver) = deferred()
    after(50) { resolver.resolve(result) }
    return promise
  }
}
