/// The error if the arguments of a callback do not show whether the work has succeeded.
public struct CallbackContradiction: Error, CustomStringConvertible {
  /// The reason why the arguments are contradictory.
  public enum Kind: Sendable, Hashable {
    /// There was neither a value nor an error.
    case neither
    /// There were both a value and an error.
    case both
  }

  public let kind: Kind
  /// The error that came together with a value; nil if there was none.
  public let underlyingError: (any Error)?
  /// The place where the promise was made, as “file:line”.
  public let site: String

  init(_ kind: Kind, _ underlyingError: (any Error)?, _ site: Site) {
    self.kind = kind
    self.underlyingError = underlyingError
    self.site = site.description
  }

  public var description: String {
    let ways = "make the promise with its init, and decide there what that means"
    switch kind {
    case .neither:
      return "the callback of the promise made at \(site) got neither a value nor an error; \(ways)"
    case .both:
      let error = underlyingError.map { " (\($0))" } ?? ""
      return "the callback of the promise made at \(site) got a value and an error\(error); \(ways)"
    }
  }
}
