import Promises

/// An error that a promise may be rejected with. JavaScript can throw any value; Swift throws only values that conform
/// to `Error`. So the error here contains the value that the original suite throws.
struct Reason: Sendable {
  let name: String
  let error: any Error
  /// Whether another error is this one.
  let isSame: @Sendable (any Error) -> Bool

  static let all: [Reason] = [
    // An error without content takes no memory.
    Reason(name: "undefined", error: Nothing()) { $0 is Nothing },
    holding("null", Int?.none),
    holding("false", false),
    holding("0", 0),
    Reason(name: "an error", error: StepFailure("no such page")) {
      $0 as? StepFailure == StepFailure("no such page")
    },
    holding("a date", Instant.zero),
    identical("an object", Object("an object")),
    identical("a thenable that never settles", ForeverPending()),
    identical("a fulfilled promise", Holder(.fulfilled(.dummy, on: .inline))),
    identical("a rejected promise", Holder(.rejected(Object.dummy, on: .inline))),
  ]

  /// The eleventh reason: an error whose stack was removed.
  static let withoutStack = "an error without a stack"

  private static func holding<Value: Equatable & Sendable>(
    _ name: String, _ value: Value
  ) -> Reason {
    Reason(name: name, error: Holding(value: value)) { ($0 as? Holding<Value>)?.value == value }
  }

  private static func identical(_ name: String, _ object: some AnyObject & Error) -> Reason {
    Reason(name: name, error: object) { ($0 as AnyObject) === object }
  }

  private struct Nothing: Error {}

  private struct Holding<Value: Sendable>: Error { let value: Value }

  private final class ForeverPending: Error, Thenable {
    func settle(_ resolver: Promise<Object, any Error>.Resolver) throws {
      preconditionFailure("an error is not asked to settle anything")
    }
  }

  private final class Holder: Error {
    let promise: Promise<Object, any Error>
    init(_ promise: Promise<Object, any Error>) { self.promise = promise }
  }
}
