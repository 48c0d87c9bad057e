/// A step's work failed, for the reason given.
public struct StepFailure: Error, Hashable, CustomStringConvertible {
  /// Why, in words for people.
  public var reason: String

  public init(_ reason: String) { self.reason = reason }

  public var description: String { reason }
}
