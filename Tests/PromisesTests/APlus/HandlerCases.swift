import Promises

/// 2.2.1 to 2.2.3 and 2.2.5: which handlers are called, with which arguments, and how often.
enum HandlerCases {
  static let all: [APlusCase] = optional + fulfilled + rejected + functions

  // MARK: 2.2.1: both handlers are optional

  private static let nonFunctions = ["null", "false", "5", "an object"]

  private static let optional: [APlusCase] =
    [
      APlusCase("2.2.1.1", "of a rejected promise" / "left out") { trial in
        trial.rejected(Object.dummy).onRejected { _ in trial.end() }
      },
      APlusCase("2.2.1.1", "of the result of a rejected promise" / "left out") { trial in
        trial.rejected(Object.dummy)
          .then { (value: Object) in .fulfilled(value) }
          .onRejected { _ in trial.end() }
      },
      APlusCase("2.2.1.2", "of a fulfilled promise" / "left out") { trial in
        trial.resolved(Object.dummy).onFulfilled { _ in trial.end() }
      },
      APlusCase("2.2.1.2", "of the result of a fulfilled promise" / "left out") { trial in
        trial.resolved(Object.dummy)
          .flatMapError { (_: any Error) -> Promise<Object, any Error> in .fulfilled(.other) }
          .onFulfilled { _ in trial.end() }
      },
    ]
    + [("2.2.1.1", "rejected"), ("2.2.1.2", "fulfilled")].flatMap { section, state in
      ["of a \(state) promise", "of the result of a \(state) promise"].flatMap { target in
        nonFunctions.map { APlusCase(section, target / $0, .notAFunction) }
      }
    }

  // MARK: 2.2.2 and 2.2.3: called once, after the promise is settled, with its outcome

  private static let fulfilled: [APlusCase] =
    Timing.fulfilled("2.2.2.1", "gets the value", .sentinel) { trial, promise in
      promise.onFulfilled { value in
        trial.expectSame(value, .sentinel)
        trial.end()
      }
    }
    + called(
      "2.2.2", "fulfilled", already: { $0.resolved(Object.dummy) },
      watch: { promise, handler in promise.onFulfilled { _ in handler() } },
      settle: { $0.tryResolve(.success(.dummy)) })

  private static let rejected: [APlusCase] =
    Timing.rejected("2.2.3.1", "gets the error", .sentinel) { trial, promise in
      promise.onRejected { reason in
        trial.expectSame(reason, .sentinel)
        trial.end()
      }
    }
    + called(
      "2.2.3", "rejected", already: { $0.rejected(Object.dummy) },
      watch: { promise, handler in promise.onRejected { _ in handler() } },
      settle: { $0.tryResolve(.failure(Object.dummy)) })

  private static func called(
    _ section: String, _ outcome: String,
    already: @escaping @Sendable (Trial) -> Promise<Object, any Error>,
    watch:
      @escaping @Sendable (Promise<Object, any Error>, @escaping @Sendable () -> Void) -> Void,
    settle: @escaping @Sendable (Promise<Object, any Error>.Resolver) -> Bool
  ) -> [APlusCase] {
    /// Two attempts to settle the promise, of which exactly one must count.
    func twice(
      _ name: String, _ times: @escaping @Sendable (Trial, @Sendable @escaping () -> Void) -> Void
    )
      -> APlusCase
    {
      APlusCase(section + ".3", name) { trial in
        let (promise, resolver) = trial.deferred()
        let wins = Counter()
        watch(promise) {
          trial.end()
          trial.after(100) { trial.expect(wins.value == 1, "\(wins.value) calls counted") }
        }
        times(trial) { if settle(resolver) { wins.add() } }
      }
    }
    return [
      APlusCase(section + ".2", "\(outcome) after a while") { trial in
        let (promise, resolver) = trial.deferred()
        let isSettled = Counter()
        watch(promise) {
          trial.expect(isSettled.value == 1, "the handler ran before the promise was settled")
          trial.end()
        }
        trial.after(50) {
          _ = settle(resolver)
          isSettled.add()
        }
      },
      APlusCase(section + ".2", "never \(outcome)") { trial in
        let (promise, _) = trial.deferred()
        watch(promise) { trial.expect(false, "the handler ran") }
        trial.after(150) { trial.end() }
      },
      APlusCase(section + ".3", "already \(outcome)") { trial in
        watch(already(trial)) { trial.end() }
      },
      twice("\(outcome) twice immediately") { _, attempt in
        attempt()
        attempt()
      },
      twice("\(outcome) twice, later") { trial, attempt in
        trial.after(50) {
          attempt()
          attempt()
        }
      },
      twice("\(outcome) immediately and later") { trial, attempt in
        attempt()
        trial.after(50, attempt)
      },
      APlusCase(section + ".3", "three handlers, added at different times") { trial in
        let (promise, resolver) = trial.deferred()
        let counts = [Counter(), Counter(), Counter()]
        for (index, count) in counts.enumerated() {
          trial.after(50 * index) { watch(promise) { count.add() } }
        }
        trial.after(150) { _ = settle(resolver) }
        trial.after(200) {
          trial.expect(counts.map(\.value) == [1, 1, 1], "called \(counts.map(\.value)) times")
          trial.end()
        }
      },
      APlusCase(section + ".3", "a handler before and one after it is \(outcome)") { trial in
        let (promise, resolver) = trial.deferred()
        let counts = [Counter(), Counter()]
        watch(promise) { counts[0].add() }
        _ = settle(resolver)
        watch(promise) { counts[1].add() }
        trial.after(50) {
          trial.expect(counts.map(\.value) == [1, 1], "called \(counts.map(\.value)) times")
          trial.end()
        }
      },
    ]
  }

  // MARK: 2.2.5: called as functions

  private static let functions: [APlusCase] = ["strict", "sloppy"].flatMap { mode in
    ["fulfilled", "rejected"].map { APlusCase("2.2.5", "\(mode) mode" / $0, .this) }
  }
}
