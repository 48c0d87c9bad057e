extension Int64 {
  /// The sum, or the nearest `Int64` if it overflows. Numbers from a file can have any size.
  @inlinable public func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the nearest `Int64` if it overflows.
  @inlinable public func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other > 0 ? .min : .max) : difference
  }

  /// The nearest `Int64` to a number of any size; 0 for NaN.
  @inlinable public init(nearest number: Double) {
    guard let exact = Int64(exactly: number.rounded()) else {
      self = number < 0 ? .min : number > 0 ? .max : 0
      return
    }
    self = exact
  }
}

extension Int {
  /// The number with spaces between groups of three digits: `10 000`.
  public var grouped: String {
    var digits = Array(String(magnitude))
    var index = digits.count - 3
    while index > 0 {
      digits.insert(" ", at: index)
      index -= 3
    }
    return (self < 0 ? "-" : "") + String(digits)
  }
}
