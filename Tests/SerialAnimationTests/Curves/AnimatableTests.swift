import SerialAnimation
import Testing

@Suite struct AnimatableTests {
  /// Checks the laws for all conforming types. The components are chosen so that all sums are exact.
  func check<Value: Animatable>(_ a: Value, _ b: Value) {
    #expect(a + .zero == a)
    #expect(a - a == .zero)
    #expect(a + b == b + a)
    #expect((a + b) - b == a)
    #expect(a.scaled(by: 1) == a)
    #expect(a.scaled(by: 0) == .zero)
    #expect((a + b).scaled(by: 2) == a.scaled(by: 2) + b.scaled(by: 2))
    #expect(Value.zero.magnitude == 0)
    #expect(a.scaled(by: -4).magnitude == 4 * a.magnitude)
    #expect((a + b).magnitude <= a.magnitude + b.magnitude)
    #expect(a.interpolated(to: b, at: 0) == a)
    #expect(a.interpolated(to: b, at: 1) == b)
    #expect(a.interpolated(to: b, at: 0.5) == (a + b).scaled(by: 0.5))
    #expect(a.interpolated(to: b, at: 2) == b + (b - a))
  }

  @Test func `all animatable types are vector spaces`() {
    check(3.0, -1.5)
    check(Point(x: 3, y: 4), Point(x: -1, y: 0.5))
    check(Size(width: 320, height: 200), Size(width: 8, height: 16))
    check(Rect(x: 1, y: 2, width: 3, height: 4), Rect(x: -8, y: 0.25, width: 10, height: 0))
    check(Color(red: 1, green: 0.5, blue: 0), Color(red: 0.25, green: 0, blue: 1, alpha: 0.5))
    check(SIMD2(3.0, 4), SIMD2(-1, 0.5))
    check(SIMD3(3.0, 4, 12), SIMD3(-1, 0.5, 8))
    check(SIMD4(1.0, 2, 3, 4), SIMD4(-8, 0.25, 10, 0))
    check(SIMD8<Double>(repeating: 2), SIMD8(1, 2, 3, 4, 5, 6, 7, 8))
  }

  @Test func `magnitudes are Euclidean lengths`() {
    #expect((-2.5).magnitude == 2.5)
    #expect(Point(x: 3, y: 4).magnitude == 5)
    #expect(Size(width: 6, height: 8).magnitude == 10)
    #expect(Rect(x: 1, y: 1, width: 1, height: 1).magnitude == 2)
    #expect(Color.white.magnitude == 2)
  }

  /// In floating point, −2 + (0.7 − −2) differs from 0.7 in the last bits.
  @Test func `interpolation ends at the exact value`() {
    #expect(-2 + (0.7 - -2) != 0.7)
    #expect((-2).interpolated(to: 0.7, at: 1) == 0.7)
  }

  @Test func `a colour that overshoots can be drawn`() {
    let wild = Color.black.interpolated(to: .white, at: 1.25)
    #expect(wild.red == 1.25)
    #expect(wild.clamped == .white)
    #expect(
      Color(red: -1, green: .nan, blue: .infinity, alpha: 2).clamped
        == Color(red: 0, green: 0, blue: 1))
  }
}
