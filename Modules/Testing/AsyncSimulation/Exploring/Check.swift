/// Throws unless a condition holds. An explored body uses it to state what must be true.
///
/// - Parameters:
///   - condition: what must hold.
///   - comment: what it means if the condition does not hold.
/// - Throws: ``CheckFailure``, which an exploration reports as a violation.
public func check(
  _ condition: Bool, _ comment: @autoclosure () -> String = "a check failed",
  file: StaticString = #fileID, line: UInt = #line
) throws {
  if !condition { throw CheckFailure(comment: comment(), file: "\(file)", line: line) }
}

/// A ``check(_:_:file:line:)`` that failed.
public struct CheckFailure: Error, Hashable, CustomStringConvertible {
  public var comment: String
  public var file: String
  public var line: UInt

  public var description: String { "\(comment), at \(file):\(line)" }
}
