/// The progress of an animation over its duration. It is a cubic Bézier curve from (0, 0) to (1, 1) with two control
/// points, read as a function of x.
///
/// ```swift
/// TimingCurve.easeIn.value(at: 0.5)  // 0.315357: it starts slowly
/// ```
///
/// - The value is exactly 0 at 0 and exactly 1 at 1. In between it may leave 0…1 if the control points do (an
///   anticipation or an overshoot).
/// - Outside 0…1 the curve continues along its tangent, as in CSS. A curve that begins or ends vertically stays
///   constant there.
/// - The result is a finite number for every argument.
///
/// Definition: “CSS Easing Functions Level 2”, <https://www.w3.org/TR/css-easing-2/>.
public struct TimingCurve: Sendable, Hashable {
  /// The first control point; `x1` is in 0…1.
  public let x1, y1: Double
  /// The second control point; `x2` is in 0…1.
  public let x2, y2: Double

  /// A curve with two control points.
  ///
  /// Coordinates that do not make a function of x are replaced by the nearest ones that do. `x1` and `x2` are clamped
  /// to 0…1, `y1` and `y2` to finite numbers (±1e300). NaN is replaced by the coordinate of ``linear``.
  public init(x1: Double, y1: Double, x2: Double, y2: Double) {
    self.x1 = x1.clamped(to: 0...1, ifNotANumber: 0)
    self.y1 = y1.clamped(to: -1e300...1e300, ifNotANumber: 0)
    self.x2 = x2.clamped(to: 0...1, ifNotANumber: 1)
    self.y2 = y2.clamped(to: -1e300...1e300, ifNotANumber: 1)
  }

  /// Constant speed.
  public static let linear = TimingCurve(x1: 0, y1: 0, x2: 1, y2: 1)
  /// A fast start and a slow end: the default of CSS and Core Animation.
  public static let ease = TimingCurve(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1)
  /// A slow start.
  public static let easeIn = TimingCurve(x1: 0.42, y1: 0, x2: 1, y2: 1)
  /// A slow end.
  public static let easeOut = TimingCurve(x1: 0, y1: 0, x2: 0.58, y2: 1)
  /// A slow start and a slow end: the default of UIKit.
  public static let easeInOut = TimingCurve(x1: 0.42, y1: 0, x2: 0.58, y2: 1)

  /// The progress at a time.
  ///
  /// - Parameter x: the fraction of the duration that has passed, 0…1. NaN counts as 0.
  /// - Complexity: O(1): about five steps of Newton's method, never more than a hundred bisections.
  public func value(at x: Double) -> Double {
    guard x > 0 else { return extrapolated(0, startGradient, by: x) }
    guard x < 1 else { return extrapolated(1, endGradient, by: x - 1) }
    if isLinear { return x }
    return y.value(at: parameter(at: x))
  }

  /// The speed at a time: the derivative of ``value(at:)``. Where the curve is vertical, it is the largest finite
  /// number, or its negative. At both ends it is the slope with which the curve continues outside.
  ///
  /// - Parameter x: the fraction of the duration that has passed, 0…1. NaN counts as 0.
  /// - Complexity: O(1), the same as ``value(at:)``.
  public func slope(at x: Double) -> Double {
    guard x > 0 else { return startGradient }
    guard x < 1 else { return endGradient }
    if isLinear { return 1 }
    let t = parameter(at: x)
    let (dx, dy) = (self.x.slope(at: t), y.slope(at: t))
    return dy == 0 ? 0 : (dy / dx).madeFinite
  }

  private var isLinear: Bool { x1 == y1 && x2 == y2 }
  private var x: BezierPolynomial { BezierPolynomial(x1, x2) }
  private var y: BezierPolynomial { BezierPolynomial(y1, y2) }

  private func extrapolated(_ end: Double, _ gradient: Double, by distance: Double) -> Double {
    guard gradient != 0, !distance.isNaN else { return end }
    return (end + gradient * distance).madeFinite
  }

  /// The slope of the line from the start to the first control point that differs from it.
  private var startGradient: Double {
    if x1 > 0 { return (y1 / x1).madeFinite }
    guard y1 == 0 else { return 0 }
    if x2 > 0 { return (y2 / x2).madeFinite }
    return y2 == 0 ? 1 : 0
  }

  /// The slope of the line to the end from the last control point that differs from it.
  private var endGradient: Double {
    if x2 < 1 { return ((1 - y2) / (1 - x2)).madeFinite }
    guard y2 == 1 else { return 0 }
    if x1 < 1 { return ((1 - y1) / (1 - x1)).madeFinite }
    return y1 == 1 ? 1 : 0
  }

  /// The parameter of the curve at x. Newton's method is used inside an interval that contains the root. Where a step
  /// of it would leave the interval, the interval is bisected. This works because x never decreases as the parameter
  /// increases.
  private func parameter(at x: Double) -> Double {
    let polynomial = self.x
    var (low, high) = (0.0, 1.0)
    var t = x
    for _ in 0..<100 {
      let error = polynomial.value(at: t) - x
      if error == 0 { return t }
      if error < 0 { low = t } else { high = t }
      let slope = polynomial.slope(at: t)
      var next = slope > 0 ? t - error / slope : low
      if !(next > low && next < high) { next = low + (high - low) / 2 }
      if abs(next - t) <= 1e-15 { return next }
      t = next
    }
    return t
  }
}

/// One coordinate of a cubic Bézier curve from 0 to 1, as a polynomial of the parameter.
private struct BezierPolynomial {
  let linear, square, cube: Double

  init(_ first: Double, _ second: Double) {
    linear = 3 * first
    square = 3 * (second - first) - linear
    cube = 1 - linear - square
  }

  func value(at t: Double) -> Double { ((cube * t + square) * t + linear) * t }
  func slope(at t: Double) -> Double { (3 * cube * t + 2 * square) * t + linear }
}
