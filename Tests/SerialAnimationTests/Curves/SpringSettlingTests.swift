import SerialAnimation
import Testing

@Suite struct SpringSettlingTests {
  /// The expected times are the last crossings of 0.001, found on a fine grid and with Brent's method (SciPy 1.17).
  @Test(
    arguments: [
      (Spring(stiffness: 100, damping: 10), 1.2701651957),
      (Spring(stiffness: 100, damping: 10, initialVelocity: 5), 1.2171184146),
      (Spring(mass: 2, stiffness: 300, damping: 8, initialVelocity: 3), 3.4085163524),
      (Spring(stiffness: 100, damping: 2), 6.7034365377),
      (Spring(stiffness: 100, damping: 20), 0.9233413476),
      (Spring(stiffness: 100, damping: 20, initialVelocity: 30), 0.9834634032),
      (Spring(stiffness: 100, damping: 20, initialVelocity: -50), 1.1123441720),
      // It overshoots by less than the tolerance, so it settles before its turning point.
      (Spring(stiffness: 100, damping: 20, initialVelocity: 10.5), 0.6513697543),
      (Spring(stiffness: 100, damping: 50), 3.3310438386),
      (Spring(stiffness: 100, damping: 50, initialVelocity: 60), 2.6711666996),
    ] as [(Spring, Double)])
  func `the settling duration ends at the last moment out of tolerance`(
    spring: Spring, seconds: Double
  ) {
    #expect(isClose(spring.settlingDuration / .seconds(1), seconds, within: 1e-8))
  }

  @Test(arguments: [0.05, 0.2, 0.5, 0.9, 0.999999, 1, 1.000001, 1.5, 8], [-30.0, 0, 4, 12, 90])
  func `a spring stays at its target after settling`(ratio: Double, velocity: Double) {
    let spring = Spring(stiffness: 100, damping: 20 * ratio, initialVelocity: velocity)
    let settled = spring.settlingDuration / .seconds(1)
    func distance(_ seconds: Double) -> Double { abs(1 - spring.value(at: seconds)) }
    #expect(distance(settled * (1 - 1e-6)) > Spring.tolerance)
    for share in shares(5000) {
      #expect(distance(settled + 1e-9 + share * 10) <= Spring.tolerance * (1 + 1e-6))
    }
  }

  @Test func `a spring that never settles has the longest duration`() {
    let endless = [
      Spring(stiffness: 100, damping: 0), Spring(stiffness: 100, damping: -5),
      Spring(stiffness: 100, damping: 0.001), Spring(stiffness: 0, damping: 0),
      Spring(stiffness: .nan, damping: .nan), Spring(stiffness: 0.001, damping: 1000),
    ]
    for spring in endless { #expect(spring.settlingDuration == Spring.longestSettling) }
  }

  /// The expected values come from mpmath's `findroot` with 40 digits, for the equations that the documentation names.
  @Test(
    arguments: [
      (0.5, 1, 0, 161.7195016, 12.71689827), (0.25, 3, 0, 54.83363359, 3.702486786),
      (1, 1, 0, 85.25592443, 18.46682695), (0.8, 0.5, 0, 323.5894917, 28.78174941),
      (0.1, 1, 0, 2125.39012, 9.220390708), (0.5, 1, 2, 141.5461936, 11.89731876),
      (0.5, 1, -5, 190.6203945, 13.80653448), (0.5, 1, 3.5, 110.9159428, 10.53166382),
      (0.7, 2, 0.5, 23.08672245, 6.72681024), (1, 0.25, 10, 1270.402659, 71.28541671),
      (1, 1, 5, 70.32875296, 16.772448), (2, 1, 0, 679.0271041, 104.2325941),
      (5, 1, 0, 4689.683972, 684.8126731),
      // The equation has no root, so the envelope gives the value.
      (0.5, 1, 100, 304.170172, 17.44047511), (0.25, 1, 20, 786.4193377, 14.02158459),
    ] as [(Double, Double, Double, Double, Double)])
  func `a spring is made from damping ratio and duration`(
    ratio: Double, seconds: Double, velocity: Double, stiffness: Double, damping: Double
  ) {
    let spring = Spring(
      dampingRatio: ratio, duration: .seconds(seconds), initialVelocity: velocity)
    #expect(spring.mass == 1)
    #expect(isClose(spring.stiffness / stiffness, 1, within: 1e-8), "\(spring.stiffness)")
    #expect(isClose(spring.damping / damping, 1, within: 1e-8), "\(spring.damping)")
    #expect(isClose(spring.dampingRatio, ratio, within: 1e-12))
  }

  @Test(arguments: [1.0, 1.5, 4, 50], [-20.0, 0, 3, 15, 400])
  func `a spring that does not oscillate settles within its duration`(
    ratio: Double, velocity: Double
  ) {
    let spring = Spring(
      dampingRatio: ratio, duration: .milliseconds(400), initialVelocity: velocity)
    #expect(spring.settlingDuration <= .milliseconds(400) + .microseconds(1))
  }

  /// The definition bounds only the sine term. The whole displacement may be larger, by up to the factor 1/sin φ for
  /// the phase φ of the oscillation.
  @Test(arguments: [0.1, 0.3, 0.6, 0.9], [0.0, 100, 2000])
  func `a spring that oscillates is close to its target after its duration`(
    ratio: Double, velocity: Double
  ) {
    let spring = Spring(dampingRatio: ratio, duration: .seconds(1), initialVelocity: velocity)
    #expect(abs(1 - spring.value(at: 1)) <= 0.012)
  }

  @Test func `a longer duration makes a softer spring`() {
    let stiffnesses = [50, 100, 400, 900, 5000].map {
      Spring(dampingRatio: 0.6, duration: .milliseconds($0), initialVelocity: 1).stiffness
    }
    #expect(zip(stiffnesses, stiffnesses.dropFirst()).allSatisfy(>))
  }

  /// The formula for underdamped springs grows without bound near critical damping. Another formula is used before
  /// that.
  @Test func `a nearly critical spring equals a critical one`() {
    let spring = Spring(dampingRatio: 1 - 1e-9, duration: .seconds(1))
    #expect(isClose(spring.stiffness, 85.25592443, within: 1e-6))
  }

  @Test func `a duration of zero is the shortest duration`() {
    let shortest = Spring(dampingRatio: 0.5, duration: .milliseconds(1))
    #expect(Spring(dampingRatio: 0.5, duration: .zero) == shortest)
    #expect(Spring(dampingRatio: 0.5, duration: .seconds(-9)) == shortest)
    #expect(
      Spring(dampingRatio: -1, duration: .seconds(1))
        == Spring(dampingRatio: 0.01, duration: .seconds(1)))
  }
}
