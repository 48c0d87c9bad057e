extension Double {
  /// The nearest number in a range: what makes any argument one that a formula can bear.
  func clamped(to range: ClosedRange<Double>, ifNotANumber fallback: Double) -> Double {
    isNaN ? fallback : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }

  /// The nearest finite number; 0 for what is none.
  var madeFinite: Double {
    clamped(to: -.greatestFiniteMagnitude ... .greatestFiniteMagnitude, ifNotANumber: 0)
  }
}
