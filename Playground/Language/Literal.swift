/// A literal and its place in the source.
public struct Literal: Sendable, Hashable {
  /// The kinds of literals.
  public enum Value: Sendable, Hashable {
    /// From zero to 100 years, in nanoseconds. A fraction is rounded to the nearest nanosecond.
    case duration(nanoseconds: Int64)
    case integer(Int)
    case real(Double)
    case string(String)
    /// Width and height are at least 0.
    case size(width: Int, height: Int)
    /// The number before the percent sign: 50 for `50%`.
    case percent(Double)
    /// The control points of a cubic Bézier timing curve.
    case curve(x1: Double, y1: Double, x2: Double, y2: Double)
    case boolean(Bool)
  }

  /// The literal's value.
  public var value: Value
  /// The range in the source.
  public var range: SourceRange

  /// Creates a literal.
  public init(_ value: Value, range: SourceRange) {
    self.value = value
    self.range = range
  }
}

extension Literal.Value {
  /// Whether it is a number without a unit or a percent sign.
  public var isPlainNumber: Bool {
    switch self {
    case .integer, .real: true
    default: false
    }
  }
}
