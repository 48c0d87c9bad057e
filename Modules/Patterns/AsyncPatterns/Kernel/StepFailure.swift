/// The error of a step that failed for the given reason.
public struct StepFailure: Error, Hashable, CustomStringConvertible {
  /// The reason, as text for people.
  public var reason: String

  public init(_ reason: String) { self.reason = reason }

  public var description: String { reason }
}
