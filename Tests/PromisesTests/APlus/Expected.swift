import Promises

/// The outcome that a case expects of a promise. The case ends when the promise has that outcome.
enum Expected {
  typealias Check<Success: Sendable> = @Sendable (Trial, Promise<Success, any Error>) -> Void

  /// Expects the sentinel as the value.
  static func value(_ trial: Trial, _ promise: Promise<Object, any Error>) {
    promise.onRejected { trial.expect(false, "it was rejected with \($0)") }
    promise.onFulfilled { value in
      trial.expectSame(value, .sentinel)
      trial.end()
    }
  }

  /// Expects the sentinel as the error.
  static func error(_ trial: Trial, _ promise: Promise<Object, any Error>) {
    promise.onFulfilled { trial.expect(false, "it was fulfilled with \($0)") }
    promise.onRejected { reason in
      trial.expectSame(reason, .sentinel)
      trial.end()
    }
  }

  /// Expects the promise to stay pending for a while.
  static func nothing(_ trial: Trial, _ promise: Promise<Object, any Error>) {
    promise.onFulfilled { _ in trial.expect(false, "it was fulfilled") }
    promise.onRejected { _ in trial.expect(false, "it was rejected") }
    trial.after(100) {
      trial.expect(promise.current == nil, "it was settled")
      trial.end()
    }
  }

  static func error(_ reason: Reason) -> Check<Object> {
    { trial, promise in
      promise.onFulfilled { _ in trial.expect(false, "it was fulfilled") }
      promise.onRejected { error in
        trial.expect(reason.isSame(error), "the error was \(error)")
        trial.end()
      }
    }
  }

  static func value<Success: Sendable>(
    _ value: Success, _ isSame: @escaping @Sendable (Success, Success) -> Bool
  ) -> Check<Success> {
    { trial, promise in
      promise.whenComplete { result in
        switch result {
        case .success(let found): trial.expect(isSame(found, value), "the value was \(found)")
        case .failure(let error): trial.expect(false, "it was rejected with \(error)")
        }
        trial.end()
      }
    }
  }
}
