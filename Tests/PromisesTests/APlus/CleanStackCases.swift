import Promises

/// 2.2.4: no handler runs while the code that added it or settled the promise is still running. This holds on the main
/// scheduler, which is the default, and on every other scheduler except `.inline`, which exists to run handlers
/// immediately.
enum CleanStackCases {
  static let all: [APlusCase] =
    Timing.fulfilled("2.2.4", "then returns first") { trial, promise in
      let hasReturned = Counter()
      promise.onFulfilled { _ in trial.endAfter(hasReturned) }
      hasReturned.add()
    }
    + Timing.rejected("2.2.4", "then returns first") { trial, promise in
      let hasReturned = Counter()
      promise.onRejected { _ in trial.endAfter(hasReturned) }
      hasReturned.add()
    }
    + fulfilled + rejected

  private static let fulfilled: [APlusCase] = [
    settling("added just before it is fulfilled", .success(.dummy), isAddedFirst: true),
    settling("added just after it is fulfilled", .success(.dummy), isAddedFirst: false),
    APlusCase("2.2.4", "for a value, added by another one for a value") { trial in
      let promise = trial.resolved(Object.dummy)
      let hasReturned = Counter()
      promise.onFulfilled { _ in
        promise.onFulfilled { _ in trial.endAfter(hasReturned) }
        hasReturned.add()
      }
    },
    APlusCase("2.2.4", "for a value, added by one for an error") { trial in
      let promise = trial.resolved(Object.dummy)
      let hasReturned = Counter()
      trial.rejected(Object.dummy).onRejected { _ in
        promise.onFulfilled { _ in trial.endAfter(hasReturned) }
        hasReturned.add()
      }
    },
    later("fulfilled later", .success(.dummy)),
  ]

  private static let rejected: [APlusCase] = [
    settling("added just before it is rejected", .failure(Object.dummy), isAddedFirst: true),
    settling("added just after it is rejected", .failure(Object.dummy), isAddedFirst: false),
    APlusCase("2.2.4", "for an error, added by one for a value") { trial in
      let promise = trial.rejected(Object.dummy)
      let hasReturned = Counter()
      trial.resolved(Object.dummy).onFulfilled { _ in
        promise.onRejected { _ in trial.endAfter(hasReturned) }
        hasReturned.add()
      }
    },
    APlusCase("2.2.4", "for an error, added by another one for an error") { trial in
      let promise = trial.rejected(Object.dummy)
      let hasReturned = Counter()
      promise.onRejected { _ in
        promise.onRejected { _ in trial.endAfter(hasReturned) }
        hasReturned.add()
      }
    },
    later("rejected later", .failure(Object.dummy)),
  ]

  /// Checks whether the handler has already run when the code that adds it and settles the promise ends.
  private static func settling(
    _ name: String, _ result: Result<Object, any Error>, isAddedFirst: Bool
  ) -> APlusCase {
    APlusCase("2.2.4", name) { trial in
      let (promise, resolver) = trial.deferred()
      let hasReturned = Counter()
      if isAddedFirst { promise.whenSettled { trial.endAfter(hasReturned) } }
      resolver.resolve(result)
      if !isAddedFirst { promise.whenSettled { trial.endAfter(hasReturned) } }
      hasReturned.add()
    }
  }

  private static func later(_ name: String, _ result: Result<Object, any Error>) -> APlusCase {
    APlusCase("2.2.4", name) { trial in
      let (promise, resolver) = trial.deferred()
      let hasReturned = Counter()
      trial.after(0) {
        resolver.resolve(result)
        hasReturned.add()
      }
      promise.whenSettled { trial.endAfter(hasReturned) }
    }
  }
}

extension Promise where Success == Object, Failure == any Error {
  /// Adds a handler for both outcomes.
  fileprivate func whenSettled(_ handler: @escaping @Sendable () -> Void) {
    onFulfilled { _ in handler() }
    onRejected { _ in handler() }
  }
}

extension Trial {
  fileprivate func endAfter(_ hasReturned: Counter) {
    expect(hasReturned.value == 1, "the handler ran inside the code that it should follow")
    end()
  }
}
