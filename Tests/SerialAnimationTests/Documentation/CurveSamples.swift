import SerialAnimation
import Testing

struct Insets: Animatable {
  var top = 0.0
  var bottom = 0.0

  static let zero = Insets()
  static func + (left: Insets, right: Insets) -> Insets {
    Insets(top: left.top + right.top, bottom: left.bottom + right.bottom)
  }
  static func - (left: Insets, right: Insets) -> Insets {
    Insets(top: left.top - right.top, bottom: left.bottom - right.bottom)
  }
  func scaled(by factor: Double) -> Insets {
    Insets(top: top * factor, bottom: bottom * factor)
  }
  var magnitude: Double { SIMD2(top, bottom).magnitude }
}

/// The page on curves and springs. Its comments state the values that are expected here.
@Suite struct CurveSamples {
  @Test func `timing curves`() {
    let slow = TimingCurve.easeIn.value(at: 0.25)  // 0.093465
    let quick = TimingCurve.easeOut.value(at: 0.25)  // 0.378138
    let overshooting = TimingCurve(x1: 0.34, y1: 1.56, x2: 0.64, y2: 1)
    let beyond = overshooting.value(at: 0.5)  // 1.087401
    #expect(isClose(slow, 0.093465, within: 5e-7))
    #expect(isClose(quick, 0.378138, within: 5e-7))
    #expect(isClose(beyond, 1.087401, within: 5e-7))
  }

  @Test func `springs`() {
    let spring = Spring(stiffness: 100, damping: 10)
    let ratio = spring.dampingRatio  // 0.5: it swings
    let beyond = spring.value(at: 0.25)  // 1.023360
    let rest = spring.settlingDuration  // 1.270165 seconds
    #expect(ratio == 0.5)
    #expect(isClose(beyond, 1.023360, within: 5e-7))
    #expect(isClose(rest / .seconds(1), 1.270165, within: 5e-7))
  }

  @Test func `a spring for a duration`() {
    let spring = Spring(dampingRatio: 0.5, duration: .seconds(1))
    let stiffness = spring.stiffness  // 161.7195
    let damping = spring.damping  // 12.7169
    #expect(isClose(stiffness, 161.7195, within: 5e-5))
    #expect(isClose(damping, 12.7169, within: 5e-5))
  }

  @Test func `custom values`() {
    let half = Insets(top: 0, bottom: 10).interpolated(to: Insets(top: 20, bottom: 0), at: 0.5)
    #expect(half == Insets(top: 10, bottom: 5))
  }
}
