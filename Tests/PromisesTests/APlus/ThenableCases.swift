import Promises

/// 2.3.3 except the rules about the first call: a thenable is queried, and it may resolve with another thenable.
enum ThenableCases {
  static let all: [APlusCase] = asking + resolving + rejecting + notThenables

  // MARK: 2.3.3.1 to 2.3.3.3: querying the thenable

  /// A foreign thenable with an identity.
  private final class Asked: Thenable {
    let count = Counter()
    let trial: Trial
    init(_ trial: Trial) { self.trial = trial }

    func settle(_ resolver: Promise<Object, any Error>.Resolver) throws {
      count.add()
      trial.expect(resolver.tryResolve(.success(.sentinel)), "the resolver does not work")
    }
  }

  private static let asking: [APlusCase] =
    ["an object without a prototype", "an object", "a function"].flatMap {
      Returning.none("2.3.3.1", "then is read once" / $0, .accessor)
    }
    + (Reason.all.map(\.name) + [Reason.withoutStack]).flatMap {
      Returning.none("2.3.3.2", "reading then throws" / $0, .accessor)
    }
    + Returning.allCases.map { way in
      APlusCase("2.3.3.3", "asked once, itself, with a resolver, for a \(way) promise") { trial in
        let thenable = Asked(trial)
        let promise: Promise<Object, any Error> =
          switch way {
          case .fulfilled: trial.resolved(Object.dummy).then { _ in Promise(thenable) }
          case .rejected:
            trial.rejected(Object.dummy)
              .flatMapError { _ -> Promise<Object, any Error> in Promise(thenable) }
          }
        trial.expect(thenable.count.value == 0, "it was asked before the handler ran")
        promise.onFulfilled { value in
          trial.expect(thenable.count.value == 1, "asked \(thenable.count.value) times")
          trial.expectSame(value, .sentinel)
          trial.end()
        }
      }
    }
    + Returning.none("2.3.3.3", "what was read as then is what is called", .accessor)

  // MARK: 2.3.3.3.1: the thenable resolves with something

  private static let resolving: [APlusCase] = values + thenables + thenablesOfThenables

  /// Cases of a thenable that is resolved with the result of `make`, immediately or later.
  private static func resolved<Success: Sendable>(
    _ name: String, _ make: @escaping @Sendable (Trial) -> Resolution<Success>,
    _ check: @escaping @Sendable (Trial, Promise<Success, any Error>) -> Void
  ) -> [APlusCase] {
    Returning.cases(
      "2.3.3.3.1", name / "immediately",
      thenable: { trial in Foreign { make(trial).resolve($0) } }, check)
      + Returning.cases(
        "2.3.3.3.1", name / "later",
        thenable: { trial in
          Foreign { resolver in trial.after(0) { make(trial).resolve(resolver) } }
        }, check)
  }

  private static func none(_ section: String, _ name: String, _ reason: NoMeaning) -> [APlusCase] {
    ["immediately", "later"].flatMap { Returning.none(section, name / $0, reason) }
  }

  private static let values: [APlusCase] =
    value("undefined", ()) { _, _ in true } + value("null", Int?.none, ==)
    + value("false", false, ==) + value("5", 5, ==)
    + value("an object", Object.sentinel) { (found: Object, _) in found === Object.sentinel }
    + value("an array", [Object.sentinel]) { (found: [Object], _) in
      found.count == 1 && found[0] === Object.sentinel
    }

  private static func value<Success: Sendable>(
    _ name: String, _ value: Success, _ isSame: @escaping @Sendable (Success, Success) -> Bool
  ) -> [APlusCase] {
    resolved("a value" / name, { _ in .value(value) }, Expected.value(value, isSame))
  }

  private static let thenables: [APlusCase] =
    ThenableKind.fulfilled.flatMap { thenable("a thenable", $0, .value(.sentinel), Expected.value) }
    + ThenableKind.rejected.flatMap {
      thenable("a thenable", $0, .value(.sentinel), Expected.error)
    }

  private static func thenable(
    _ name: String, _ kind: ThenableKind, _ resolution: Resolution<Object>,
    _ check: @escaping @Sendable (Trial, Promise<Object, any Error>) -> Void
  ) -> [APlusCase] {
    guard let make = kind.make else { return none("2.3.3.3.1", name / kind.name, kind.reason) }
    return resolved(name / kind.name, { .thenable(make($0, resolution)) }, check)
  }

  private static let thenablesOfThenables: [APlusCase] = ThenableKind.fulfilled.flatMap { outer in
    ThenableKind.fulfilled.flatMap { nested(outer, $0, Expected.value) }
      + ThenableKind.rejected.flatMap { nested(outer, $0, Expected.error) }
  }

  private static func nested(
    _ outer: ThenableKind, _ inner: ThenableKind,
    _ check: @escaping @Sendable (Trial, Promise<Object, any Error>) -> Void
  ) -> [APlusCase] {
    let name = "a thenable" / "\(outer.name), of one that is \(inner.name)"
    guard let makeOuter = outer.make, let makeInner = inner.make else {
      return none("2.3.3.3.1", name, .accessor)
    }
    return resolved(
      name, { .thenable(makeOuter($0, .thenable(makeInner($0, .value(.sentinel))))) }, check)
  }

  // MARK: 2.3.3.3.2: the thenable rejects with something

  private static let rejecting: [APlusCase] =
    Reason.all.flatMap { reason in
      rejected(reason, "immediately") { _, reject in reject() }
        + rejected(reason, "later") { trial, reject in trial.after(0, reject) }
    } + none("2.3.3.3.2", Reason.withoutStack, .stack)

  private static func rejected(
    _ reason: Reason, _ name: String,
    _ time: @escaping @Sendable (Trial, @escaping @Sendable () -> Void) -> Void
  ) -> [APlusCase] {
    Returning.cases(
      "2.3.3.3.2", reason.name / name,
      thenable: { trial in
        Foreign<Object> { resolver in time(trial) { resolver.reject(reason.error) } }
      }, Expected.error(reason))
  }

  // MARK: 2.3.3.4: an object whose `then` cannot be called

  private static let notThenables: [APlusCase] = [
    "5", "an object", "an array of a function", "a regular expression", "an object like a function",
  ].flatMap { Returning.none("2.3.3.4", "then is \($0)", .notAThenable) }
}
