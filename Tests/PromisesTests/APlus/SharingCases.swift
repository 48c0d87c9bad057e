import Promises

/// 2.2.6: a promise can have any number of handlers, which run in the order in which they were added.
enum SharingCases {
  static let all: [APlusCase] = fulfilled + rejected

  /// Adds a handler to a promise, and returns the resulting promise. The handler returns an object or throws an error.
  private typealias Add =
    @Sendable (
      Promise<Object, any Error>, @escaping @Sendable (Object?) throws -> Object
    ) -> Promise<Object, any Error>

  private static let fulfilled: [APlusCase] = cases(
    "2.2.6.1",
    { name, value, body in Timing.fulfilled("2.2.6.1", name, value, body) },
    add: { promise, handler in promise.then { value in .fulfilled(try handler(value)) } },
    addOther: { promise, handler in promise.onRejected { _ in handler() } })

  private static let rejected: [APlusCase] = cases(
    "2.2.6.2",
    { name, reason, body in Timing.rejected("2.2.6.2", name, reason, body) },
    add: { promise, handler in
      promise.flatMapError { reason -> Promise<Object, any Error> in
        .fulfilled(try handler(reason as? Object))
      }
    },
    addOther: { promise, handler in promise.onFulfilled { _ in handler() } })

  private static func cases(
    _ section: String,
    _ timed: (
      String, Object, @escaping @Sendable (Trial, Promise<Object, any Error>) -> Void
    ) -> [APlusCase],
    add: @escaping Add,
    addOther:
      @escaping @Sendable (Promise<Object, any Error>, @escaping @Sendable () -> Void) -> Void
  ) -> [APlusCase] {
    /// Four handlers that all get the same outcome. The handlers for the other outcome are never called.
    func four(_ name: String, throwing: Int?) -> [APlusCase] {
      timed(name, .sentinel) { trial, promise in
        let calls = Counter()
        for index in 0..<3 {
          add(promise) { found in
            trial.expect(calls.value == index, "handler \(index) ran as number \(calls.value)")
            trial.expect(found === Object.sentinel, "a handler got another object")
            calls.add()
            if index == throwing { throw Object.other }
            return .other
          }.ignoringFailure()
          addOther(promise) { trial.expect(false, "a handler for the other outcome ran") }
        }
        _ = add(promise) { found in
          trial.expect(found === Object.sentinel, "the last handler got another object")
          trial.expect(calls.value == 3, "\(calls.value) handlers ran before the last one")
          trial.end()
          return .other
        }
      }
    }
    /// Handlers that must be called in this order. The last one ends the case.
    func order(
      _ name: String,
      _ add:
        @escaping @Sendable (
          Promise<Object, any Error>, @escaping @Sendable (String) -> Void,
          @escaping @Sendable () -> Void
        ) -> Void
    ) -> [APlusCase] {
      timed(name, .dummy) { trial, promise in
        let order = Locked<[String]>([])
        add(promise, { name in order.withLock { $0.append(name) } }) {
          trial.after(15) {
            let order = order.withLock { $0 }
            trial.expect(order == ["first", "second", "third"], "the order was \(order)")
            trial.end()
          }
        }
      }
    }
    return four("four handlers", throwing: nil)
      + four("four handlers, one of which throws", throwing: 1)
      + timed("three chains, each with its own end", .dummy) { trial, promise in
        let ends = Counter()
        let end: @Sendable () -> Void = {
          ends.add()
          if ends.value == 3 { trial.end() }
        }
        let values = [Object("one"), Object("two"), Object("three")]
        for index in [0, 2] {
          add(promise) { _ in values[index] }.onFulfilled { value in
            trial.expectSame(value, values[index])
            end()
          }
          if index == 2 { continue }
          add(promise) { _ in throw values[1] }.onRejected { reason in
            trial.expectSame(reason, values[1])
            end()
          }
        }
      }
      + order("in order") { promise, note, end in
        for name in ["first", "second", "third"] {
          _ = add(promise) { _ in
            note(name)
            return .other
          }
        }
        _ = add(promise) { _ in
          end()
          return .other
        }
      }
      + order("in order, also one that another one adds") { promise, note, end in
        _ = add(promise) { _ in
          note("first")
          _ = add(promise) { _ in
            note("third")
            return .other
          }
          return .other
        }
        _ = add(promise) { _ in
          note("second")
          return .other
        }
        _ = add(promise) { _ in
          end()
          return .other
        }
      }
  }
}
