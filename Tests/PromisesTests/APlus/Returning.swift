import Promises

/// The two kinds of handlers that can return the result: the handler of a value, or the handler of an error.
enum Returning: String, CaseIterable, Sendable {
  case fulfilled, rejected

  /// Cases in which a handler calls `make` when it runs and returns the result.
  static func cases<Success: Sendable>(
    _ section: String, _ name: String,
    _ make: @escaping @Sendable (Trial) throws -> Promise<Success, any Error>,
    _ check: @escaping @Sendable (Trial, Promise<Success, any Error>) -> Void
  ) -> [APlusCase] {
    allCases.map { way in
      APlusCase(section, name / way.name) { trial in
        let returned: Promise<Success, any Error> =
          switch way {
          case .fulfilled: trial.resolved(Object.dummy).then { _ in try make(trial) }
          case .rejected:
            trial.rejected(Object.dummy, Success.self)
              .flatMapError { _ throws(any Error) in try make(trial) }
          }
        check(trial, returned)
      }
    }
  }

  /// Cases in which a handler returns a foreign thenable, which the library turns into a promise.
  static func cases<Success: Sendable>(
    _ section: String, _ name: String,
    thenable make: @escaping @Sendable (Trial) -> any Thenable<Success, any Error>,
    _ check: @escaping @Sendable (Trial, Promise<Success, any Error>) -> Void
  ) -> [APlusCase] {
    cases(section, name, { trial in assimilated(make(trial)) }, check)
  }

  static func none(_ section: String, _ name: String, _ reason: NoMeaning) -> [APlusCase] {
    allCases.map { APlusCase(section, name / $0.name, reason) }
  }

  private static func assimilated<Success: Sendable>(
    _ thenable: some Thenable<Success, any Error>
  ) -> Promise<Success, any Error> { Promise(thenable) }

  private var name: String { "returned for a \(self) promise" }
}
