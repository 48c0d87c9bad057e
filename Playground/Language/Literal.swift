/// A literal with the place where it stands.
public struct Literal: Sendable, Hashable {
  /// What a literal can be.
  public enum Value: Sendable, Hashable {
    /// From zero to a hundred years, in nanoseconds; what is finer is rounded to the nearest.
    case duration(nanoseconds: Int64)
    case integer(Int)
    case real(Double)
    case string(String)
    /// Both sides are at least 1.
    case size(width: Int, height: Int)
    /// The number before the sign: 50 for `50%`.
    case percent(Double)
    /// A cubic Bézier timing curve's control points.
    case curve(x1: Double, y1: Double, x2: Double, y2: Double)
    case boolean(Bool)
  }

  /// What it says.
  public var value: Value
  /// Where it stands.
  public var range: SourceRange

  /// A literal.
  public init(_ value: Value, range: SourceRange) {
    self.value = value
    self.range = range
  }
}

extension Literal.Value {
  /// What kind of literal it is, as people call it: “duration”, “whole number”.
  public var kindName: String {
    switch self {
    case .duration: "duration"
    case .integer: "whole number"
    case .real: "number"
    case .string: "string"
    case .size: "size"
    case .percent: "percentage"
    case .curve: "curve"
    case .boolean: "truth value"
    }
  }
}
