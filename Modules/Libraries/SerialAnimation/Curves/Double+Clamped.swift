extension Double {
  /// The nearest number in a range. Formulas use it to accept any argument.
  func clamped(to range: ClosedRange<Double>, ifNotANumber fallback: Double) -> Double {
    isNaN ? fallback : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }

  /// The nearest finite number; 0 for NaN.
  var madeFinite: Double {
    clamped(to: -.greatestFiniteMagnitude ... .greatestFiniteMagnitude, ifNotANumber: 0)
  }
}
