import Promises

/// The three times at which a promise is settled: before the case runs, as soon as the case has run, and 50 ms later.
enum Timing: String, CaseIterable, Sendable {
  case already, immediately, eventually

  static func fulfilled(
    _ section: String, _ name: String, _ value: Object = .dummy,
    _ body: @escaping @Sendable (Trial, Promise<Object, any Error>) -> Void
  ) -> [APlusCase] {
    settled(section, name, "fulfilled", .success(value), body)
  }

  static func rejected(
    _ section: String, _ name: String, _ reason: Object = .dummy,
    _ body: @escaping @Sendable (Trial, Promise<Object, any Error>) -> Void
  ) -> [APlusCase] {
    settled(section, name, "rejected", .failure(reason), body)
  }

  /// Cases of both outcomes that cannot be written in Swift.
  static func none(
    _ section: String, _ name: String, _ outcomes: [String], _ reason: NoMeaning
  ) -> [APlusCase] {
    outcomes.flatMap { outcome in
      allCases.map { APlusCase(section, name / "\($0) \(outcome)", reason) }
    }
  }

  private static func settled(
    _ section: String, _ name: String, _ outcome: String, _ result: Result<Object, any Error>,
    _ body: @escaping @Sendable (Trial, Promise<Object, any Error>) -> Void
  ) -> [APlusCase] {
    allCases.map { timing in
      APlusCase(section, name / "\(timing) \(outcome)") { trial in
        if timing == .already {
          return switch result {
          case .success(let value): body(trial, trial.resolved(value))
          case .failure(let reason): body(trial, trial.rejected(reason))
          }
        }
        let (promise, resolver) = trial.deferred()
        body(trial, promise)
        if timing == .immediately {
          resolver.resolve(result)
        } else {
          trial.after(50) { resolver.resolve(result) }
        }
      }
    }
  }
}
