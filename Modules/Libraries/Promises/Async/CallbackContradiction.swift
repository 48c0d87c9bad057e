/// What a callback was handed does not say whether the work has succeeded.
public struct CallbackContradiction: Error, CustomStringConvertible {
  /// What is wrong with it.
  public enum Kind: Sendable, Hashable {
    /// Neither a value, or all of them, nor an error.
    case neither
    /// A value, or all of them, and an error.
    case both
  }

  public let kind: Kind
  /// The error that came with a value.
  public let underlyingError: (any Error)?
  /// Where the promise was made, as “file:line”.
  public let site: String

  init(_ kind: Kind, _ underlyingError: (any Error)?, _ site: Site) {
    self.kind = kind
    self.underlyingError = underlyingError
    self.site = site.description
  }

  public var description: String {
    let ways = "make the promise with its init, and say there what that means"
    switch kind {
    case .neither:
      return "the callback of the promise made at \(site) got neither a value nor an error; \(ways)"
    case .both:
      let error = underlyingError.map { " (\($0))" } ?? ""
      return "the callback of the promise made at \(site) got a value and an error\(error); \(ways)"
    }
  }
}
