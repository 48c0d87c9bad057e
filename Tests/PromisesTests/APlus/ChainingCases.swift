import Promises

/// 2.2.7: an operator returns a new promise.
enum ChainingCases {
  static let all: [APlusCase] =
    [
      APlusCase("2.2.7", "yields another promise") { trial in
        let (promise, resolver) = trial.deferred()
        let (next, other) = (promise.map { $0 }, promise.map { $0 })
        other.cancel()
        trial.expect(promise.current == nil, "cancelling what it yields settled the promise")
        trial.expect(next.current == nil, "they are not promises of their own")
        next.onFulfilled { value in
          trial.expectSame(value, .sentinel)
          trial.end()
        }
        resolver.fulfill(.sentinel)
      },
      APlusCase("2.2.7.1", "returns a value", .empty),
    ]
    + Reason.all.flatMap(thrown)
    + Timing.none("2.2.7.2", Reason.withoutStack, ["fulfilled", "rejected"], .stack)
    + Timing.fulfilled("2.2.7.3", "left out", .sentinel) { trial, promise in
      promise.flatMapError { _ -> Promise<Object, any Error> in .fulfilled(.other) }
        .onFulfilled { value in
          trial.expectSame(value, .sentinel)
          trial.end()
        }
    }
    + nonFunctions.flatMap { Timing.none("2.2.7.3", $0, ["fulfilled"], .notAFunction) }
    + Timing.rejected("2.2.7.4", "left out", .sentinel) { trial, promise in
      promise.then { _ in Promise<Object, any Error>.fulfilled(.other) }
        .onRejected { reason in
          trial.expectSame(reason, .sentinel)
          trial.end()
        }
    }
    + nonFunctions.flatMap { Timing.none("2.2.7.4", $0, ["rejected"], .notAFunction) }

  private static let nonFunctions = ["null", "false", "5", "an object", "an array of a function"]

  private static func thrown(_ reason: Reason) -> [APlusCase] {
    let end = Expected.error(reason)
    return Timing.fulfilled("2.2.7.2", "throws" / reason.name) { trial, promise in
      end(trial, promise.then { _ in throw reason.error })
    }
      + Timing.rejected("2.2.7.2", "throws" / reason.name) { trial, promise in
        end(
          trial,
          promise.flatMapError { _ throws(any Error) -> Promise<Object, any Error> in
            throw reason.error
          })
      }
  }
}
