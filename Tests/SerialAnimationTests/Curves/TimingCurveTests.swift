import SerialAnimation
import Testing

@Suite struct TimingCurveTests {
  static let named: [TimingCurve] = [.linear, .ease, .easeIn, .easeOut, .easeInOut]
  static let places = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99]

  /// The expected values come from bisection with 40 digits (mpmath 1.3).
  @Test(
    arguments: [
      (.linear, places),
      (
        .ease,
        [
          0.004487815, 0.032951541, 0.094796306, 0.408510591, 0.802403388, 0.960458978, 0.994316478,
          0.999946340,
        ]
      ),
      (
        .easeIn,
        [
          0.000186853, 0.004474615, 0.017026610, 0.093464651, 0.315356813, 0.621861869, 0.839427846,
          0.983090295,
        ]
      ),
      (
        .easeOut,
        [
          0.016909705, 0.082242204, 0.160572154, 0.378138131, 0.684643187, 0.906535349, 0.982973390,
          0.999813147,
        ]
      ),
      (
        .easeInOut,
        [
          0.000189820, 0.004829750, 0.019722454, 0.129161931, 0.5, 0.870838069, 0.980277547,
          0.999810180,
        ]
      ),
      // The first of these curves overshoots, the second is nearly a step, the third moves back first, and the fourth
      // leaves 0…1 at both ends.
      (
        TimingCurve(x1: 0.34, y1: 1.56, x2: 0.64, y2: 1),
        [
          0.045324789, 0.215561684, 0.403933042, 0.816289199, 1.087400670, 1.059646860, 1.012615579,
          1.000142340,
        ]
      ),
      (
        TimingCurve(x1: 0.99, y1: 0, x2: 0.01, y2: 1),
        [
          0.000034395, 0.000901103, 0.003840030, 0.030381376, 0.5, 0.969618624, 0.996159970,
          0.999965605,
        ]
      ),
      (
        TimingCurve(x1: 0.36, y1: 0, x2: 0.66, y2: -0.56),
        [
          -0.000142340, -0.003383922, -0.012615579, -0.059646860, -0.087400670, 0.183710801,
          0.596066958, 0.954675211,
        ]
      ),
      (
        TimingCurve(x1: 0.5, y1: -1, x2: 0.5, y2: 2),
        [
          -0.019596415, -0.089536568, -0.156134342, -0.182322371, 0.5, 1.182322371, 1.156134342,
          1.019596415,
        ]
      ),
    ] as [(TimingCurve, [Double])])
  func `a named curve equals the reference values`(curve: TimingCurve, values: [Double]) {
    for (x, expected) in zip(TimingCurveTests.places, values) {
      #expect(isClose(curve.value(at: x), expected, within: 1e-8), "\(x): \(curve.value(at: x))")
    }
  }

  /// The vectors of Chromium's `ui/gfx/geometry/cubic_bezier_unittest.cc`, which are accurate to 0.00015.
  @Test func `a curve agrees with Chromium's test vectors`() {
    let curve = TimingCurve(x1: 0.25, y1: 0, x2: 0.75, y2: 1)
    let values = [
      0, 0.01136, 0.03978, 0.07978, 0.12803, 0.18235, 0.24115, 0.30323, 0.36761, 0.43345, 0.5,
      0.56655, 0.63238, 0.69676, 0.75884, 0.81764, 0.87196, 0.92021, 0.96021, 0.98863, 1,
    ]
    let slopes = [
      0, 0.42170, 0.69778, 0.89121, 1.03184, 1.13576, 1.21239, 1.26751, 1.30474, 1.32628, 1.33333,
      1.32628, 1.30474, 1.26751, 1.21239, 1.13576, 1.03184, 0.89121, 0.69778, 0.42170, 0,
    ]
    for (index, x) in shares(20).enumerated() {
      #expect(isClose(curve.value(at: x), values[index], within: 0.00015), "\(x)")
      #expect(isClose(curve.slope(at: x), slopes[index], within: 0.00015), "\(x)")
    }
    #expect(curve.slope(at: -0.1) == 0)
    #expect(curve.slope(at: 1.1) == 0)
    let middle = { (y: Double) in TimingCurve(x1: 0.5, y1: y, x2: 0.5, y2: y).value(at: 0.5) }
    #expect([middle(1), middle(2), middle(-1)] == [0.875, 1.625, -0.625])
  }

  /// Chromium's vectors outside 0…1: the values of each curve at −1 and 2.
  @Test(
    arguments: [
      ((0.5, 1, 0.5, 1), -2, 1), ((0, 0, 1, 1), -1, 2), ((0, 1, 1, 0), 0, 1),
      ((0.5, 0, 1, 0.5), 0, 1), ((0.1, 0.2, 0.8, 0.8), -2, 2), ((0, 0, 0.5, 1), -2, 1),
      ((1, 0.5, 1, 1), -0.5, 1), ((0, 0, 0, 0), -1, 2), ((1, 1, 1, 1), -1, 2),
    ] as [((Double, Double, Double, Double), Double, Double)])
  func `a curve continues along its tangent`(
    points: (Double, Double, Double, Double), before: Double, after: Double
  ) {
    let curve = TimingCurve(x1: points.0, y1: points.1, x2: points.2, y2: points.3)
    #expect(isClose(curve.value(at: -1), before, within: 1e-12))
    #expect(isClose(curve.value(at: 2), after, within: 1e-12))
  }

  @Test(arguments: named)
  func `a curve rises from zero to one`(curve: TimingCurve) {
    #expect(curve.value(at: 0) == 0)
    #expect(curve.value(at: 1) == 1)
    let values = shares(1000).map(curve.value(at:))
    #expect(zip(values, values.dropFirst()).allSatisfy(<))
  }

  @Test(arguments: named + [TimingCurve(x1: 0.34, y1: 1.56, x2: 0.64, y2: 1)])
  func `the slope is the derivative of the value`(curve: TimingCurve) {
    for x in shares(40).dropFirst().dropLast() {
      let h = 1e-6
      let measured = (curve.value(at: x + h) - curve.value(at: x - h)) / (2 * h)
      #expect(isClose(curve.slope(at: x), measured), "\(x)")
    }
  }

  @Test func `easing in and easing out are mirrored`() {
    for x in shares(50) {
      let easeInOut = TimingCurve.easeInOut
      #expect(isClose(easeInOut.value(at: 1 - x), 1 - easeInOut.value(at: x), within: 1e-12))
      let mirrored = 1 - TimingCurve.easeIn.value(at: 1 - x)
      #expect(isClose(TimingCurve.easeOut.value(at: x), mirrored, within: 1e-12))
    }
  }

  /// The parameter is as exact as floating point allows wherever the curve is not vertical.
  @Test func `the parameter of any point is found`() {
    for x1 in shares(10) {
      for x2 in shares(10) {
        let curve = TimingCurve(x1: x1, y1: 0.3, x2: x2, y2: 0.6)
        for t in shares(20) {
          let x = 3 * (1 - t) * (1 - t) * t * x1 + 3 * (1 - t) * t * t * x2 + t * t * t
          let y = 3 * (1 - t) * (1 - t) * t * 0.3 + 3 * (1 - t) * t * t * 0.6 + t * t * t
          #expect(isClose(curve.value(at: x), y), "\(curve) at \(x)")
        }
      }
    }
  }

  @Test(arguments: oddNumbers)
  func `a curve is finite for every argument`(odd: Double) {
    let curves = [
      TimingCurve(x1: odd, y1: 0, x2: 1, y2: 1), TimingCurve(x1: 0.5, y1: odd, x2: 0.5, y2: 1),
      TimingCurve(x1: 0, y1: 0, x2: odd, y2: 1), TimingCurve(x1: 0, y1: odd, x2: 1, y2: -odd),
      TimingCurve(x1: odd, y1: odd, x2: odd, y2: odd), TimingCurve(x1: 1, y1: odd, x2: 0, y2: odd),
    ]
    for curve in curves + TimingCurveTests.named {
      for x in shares(20) + oddNumbers {
        #expect(curve.value(at: x).isFinite, "\(curve) at \(x)")
        #expect(curve.slope(at: x).isFinite, "\(curve) at \(x)")
      }
      #expect(curve.value(at: 0) == 0)
      #expect(curve.value(at: 1) == 1)
      #expect(curve.value(at: .nan) == 0)
    }
  }

  @Test func `control points move to the nearest function`() {
    #expect(
      TimingCurve(x1: -3, y1: 2, x2: 7, y2: -1) == TimingCurve(x1: 0, y1: 2, x2: 1, y2: -1))
    #expect(TimingCurve(x1: .nan, y1: .nan, x2: .nan, y2: .nan) == .linear)
  }
}
