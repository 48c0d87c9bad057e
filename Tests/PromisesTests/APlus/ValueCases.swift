import Promises

/// 2.3.4: a handler returns a value.
enum ValueCases {
  static let all: [APlusCase] =
    returned("undefined", ()) { _, _ in true } + returned("null", Int?.none, ==)
    + returned("false", false, ==) + returned("true", true, ==) + returned("0", 0, ==)
    + ["true, when all booleans have a then", "1, when all numbers have a then"].flatMap {
      Timing.none("2.3.4", $0, ["fulfilled", "rejected"], .notAThenable)
    }

  private static func returned<Success: Sendable>(
    _ name: String, _ value: Success, _ isSame: @escaping @Sendable (Success, Success) -> Bool
  ) -> [APlusCase] {
    let check = Expected.value(value, isSame)
    return Timing.fulfilled("2.3.4", name) { trial, promise in
      check(trial, promise.map { _ in value })
    }
      + Timing.rejected("2.3.4", name) { trial, promise in
        // A promise whose value has the type that the handler returns.
        let typed: Promise<Success, any Error> = promise.map { _ in
          trial.expect(false, "it was fulfilled")
          return value
        }
        check(trial, typed.recover { (_: any Error) throws(any Error) in value })
      }
  }
}
