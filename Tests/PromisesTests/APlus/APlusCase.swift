import Testing

/// One of the 872 cases of the Promises/A+ test suite.
struct APlusCase: Sendable, CustomTestStringConvertible {
  /// The paragraph of Promises/A+ that the case belongs to.
  let section: String
  /// What the case does, as a path from the general to the particular.
  let name: String
  let kind: Kind

  enum Kind: Sendable {
    case applies(@Sendable (Trial) -> Void)
    case hasNoMeaning(NoMeaning)
  }

  init(_ section: String, _ name: String, _ body: @escaping @Sendable (Trial) -> Void) {
    self.section = section
    self.name = name
    kind = .applies(body)
  }

  init(_ section: String, _ name: String, _ reason: NoMeaning) {
    self.section = section
    self.name = name
    kind = .hasNoMeaning(reason)
  }

  var testDescription: String { "\(section) \(name)" }

  var applies: Bool { if case .applies = kind { true } else { false } }

  /// Runs the case.
  ///
  /// - Returns: the failures, or nil if the case has no meaning in Swift and cannot run.
  func run() -> [String]? {
    guard case .applies(let body) = kind else { return nil }
    return Trial.run(body)
  }
}

/// Why a case cannot be written in Swift.
enum NoMeaning: String, CaseIterable, Sendable {
  case notAFunction = "a handler is a function, or is left out: the compiler takes nothing else"
  case this = "functions are called without `this`"
  case accessor =
    "`Thenable` requires a method, not a property `then` whose getter may throw"
  case notAThenable = "a type conforms to `Thenable` or does not; `then` is never something else"
  case stack = "Swift's errors have no stack, so none can be missing"
  case empty = "the case is empty in the original: 2.3 tests it"
}

/// Joins the name of a case to the name of the group around it.
func / (outer: String, inner: String) -> String { outer + ": " + inner }
