import Foundation
import SerialAnimation
import Testing

@Suite struct SpringTests {
  struct Vectors: Sendable, CustomTestStringConvertible {
    let spring: Spring
    /// The position and velocity at 0.1, 0.25, 0.5 and 1 second.
    let expected: [(value: Double, velocity: Double)]

    init(
      _ mass: Double, _ stiffness: Double, _ damping: Double, _ velocity: Double,
      _ expected: [(Double, Double)]
    ) {
      spring = Spring(
        mass: mass, stiffness: stiffness, damping: damping, initialVelocity: velocity)
      self.expected = expected.map { (value: $0.0, velocity: $0.1) }
    }

    var testDescription: String { "\(spring)" }
  }

  /// The expected values come from the exponential of the system's matrix with 40 digits (mpmath 1.3). It does not
  /// distinguish the three cases.
  static let vectors = [
    // Underdamped: from rest, with a forward velocity, and with a backward velocity.
    Vectors(
      1, 100, 10, 0,
      [
        (0.3402998466, 5.335071951), (1.02335958, 2.741098987), (1.074590567, -0.8794242073),
        (1.002170117, 0.05385480616),
      ]),
    Vectors(
      1, 100, 10, 5,
      [
        (0.6070534442, 5.966036743), (1.160414529, 1.253751594), (1.030619356, -0.8126649366),
        (1.004862857, 0.01607681938),
      ]),
    Vectors(
      1, 100, 10, -8,
      [
        (-0.08650590948, 4.325528285), (0.8040716609, 5.120854816), (1.144944503, -0.9862390404),
        (0.9978617322, 0.114299585),
      ]),
    Vectors(
      2, 300, 8, 3,
      [
        (0.7730292894, 9.994159137), (1.608158912, -0.9350395135), (0.6355243602, 0.02235181598),
        (0.8749616024, -0.3900381856),
      ]),
    // Undamped.
    Vectors(
      1, 100, 0, 0,
      [
        (0.4596976941, 8.414709848), (1.801143616, 5.984721441), (0.7163378145, -9.589242747),
        (1.839071529, -5.440211109),
      ]),
    // Critically damped.
    Vectors(
      1, 100, 20, 0,
      [
        (0.2642411177, 3.678794412), (0.7127025048, 2.052124966), (0.959572318, 0.33689735),
        (0.9995006008, 0.004539992976),
      ]),
    Vectors(
      1, 100, 20, 15,
      [
        (0.8160602794, 3.678794412), (1.02052125, 0.2052124966), (1.01010692, -0.06737946999),
        (1.0001816, -0.001588997542),
      ]),
    Vectors(
      1, 100, 20, -5,
      [
        (0.08030139707, 3.678794412), (0.6100962565, 2.667762455), (0.9427274505, 0.4716562899),
        (0.9992736011, 0.006582989816),
      ]),
    // Very close to critical damping, on both sides.
    Vectors(
      1, 100, 19.9999999, 0,
      [
        (0.2642411183, 3.678794424), (0.712702507, 2.05212497), (0.9595723194, 0.3368973443),
        (0.9995006008, 0.004539992447),
      ]),
    Vectors(
      1, 100, 20.0000001, 0,
      [
        (0.264241117, 3.678794399), (0.7127025027, 2.052124961), (0.9595723166, 0.3368973556),
        (0.9995006007, 0.004539993506),
      ]),
    // Overdamped: slightly and very strongly.
    Vectors(
      0.5, 170, 26, 0,
      [
        (0.4409067311, 4.196972052), (0.8222676813, 1.363035127), (0.973875531, 0.2003667656),
        (0.9994355911, 0.004328845663),
      ]),
    Vectors(
      1, 100, 50, 0,
      [
        (0.1517838618, 1.75300338), (0.3795081594, 1.295028771), (0.6317608709, 0.7685598127),
        (0.8703067857, 0.2706854993),
      ]),
    Vectors(
      1, 100, 50, 60,
      [
        (1.20358589, 0.05587027279), (1.156525422, -0.3263239129), (1.092896759, -0.193886822),
        (1.032718085, -0.06828662),
      ]),
    Vectors(
      1, 1, 1000, 0,
      [
        (9.899519715e-5, 0.0009999020047), (0.0002489692495, 0.0009997520305),
        (0.0004988760175, 0.0009995021235), (0.0009985021621, 0.0009990024968),
      ]),
  ]

  @Test(arguments: vectors)
  func `values and velocities equal the reference values`(vectors: Vectors) {
    for (seconds, expected) in zip([0.1, 0.25, 0.5, 1], vectors.expected) {
      let spring = vectors.spring
      #expect(isClose(spring.value(at: seconds), expected.value, within: 1e-8), "\(seconds)")
      #expect(isClose(spring.velocity(at: seconds), expected.velocity, within: 1e-7), "\(seconds)")
    }
  }

  @Test(arguments: vectors.map(\.spring))
  func `a spring starts at its position with its velocity`(spring: Spring) {
    #expect(spring.value(at: 0) == 0)
    #expect(spring.velocity(at: 0) == spring.initialVelocity)
    #expect(spring.value(at: -1) == 0)
    #expect(spring.velocity(at: -1) == 0)
    #expect(spring.value(at: .infinity) == 1)
    #expect(spring.velocity(at: .infinity) == 0)
  }

  @Test(arguments: vectors.map(\.spring))
  func `the velocity is the derivative of the value`(spring: Spring) {
    for seconds in shares(100).dropFirst().map({ 2 * $0 }) {
      let h = 1e-5
      let measured = (spring.value(at: seconds + h) - spring.value(at: seconds - h)) / (2 * h)
      #expect(isClose(spring.velocity(at: seconds), measured, within: 1e-4), "\(seconds)")
    }
  }

  /// The total energy of spring and mass never increases. Without damping it stays constant.
  @Test(arguments: vectors.map(\.spring))
  func `a spring never gains energy`(spring: Spring) {
    func energy(_ seconds: Double) -> Double {
      let distance = 1 - spring.value(at: seconds)
      let velocity = spring.velocity(at: seconds)
      return (spring.stiffness * distance * distance + spring.mass * velocity * velocity) / 2
    }
    let energies = shares(500).map { energy(3 * $0) }
    for (before, after) in zip(energies, energies.dropFirst()) {
      #expect(after <= before * (1 + 1e-12) + 1e-12)
    }
    if spring.damping == 0 {
      #expect(energies.allSatisfy { isClose($0, energies[0], within: 1e-9) })
    }
  }

  @Test(arguments: vectors.map(\.spring))
  func `only a spring below critical damping overshoots from rest`(spring: Spring) {
    guard spring.initialVelocity == 0 else { return }
    let values = shares(2000).map { spring.value(at: 2 * $0) }
    if spring.dampingRatio < 0.99 {
      #expect(values.contains { $0 > 1 })
    } else {
      #expect(zip(values, values.dropFirst()).allSatisfy(<=))
      #expect(values.allSatisfy { $0 <= 1 })
    }
  }

  /// The slow rate is k/c, which is tiny compared with the fast rate of about c. After c/k seconds,
  /// the value is 1 − 1/e.
  @Test func `the slow rate is exact, however strong the damping`() {
    let spring = Spring(stiffness: 1, damping: 1e8)
    #expect(isClose(spring.value(at: 1e8), 0.6321205588, within: 1e-8))
    #expect(isClose(spring.velocity(at: 1e8) * 1e8, 0.3678794412, within: 1e-8))
  }

  @Test func `the damping ratio is relative to critical damping`() {
    #expect(Spring(stiffness: 100, damping: 20).dampingRatio == 1)
    #expect(Spring(stiffness: 100, damping: 10).dampingRatio == 0.5)
    #expect(Spring(mass: 4, stiffness: 100, damping: 80).dampingRatio == 2)
  }

  @Test(arguments: oddNumbers)
  func `a spring is finite for every argument`(odd: Double) {
    let springs = [
      Spring(mass: odd, stiffness: 100, damping: 10), Spring(stiffness: odd, damping: 10),
      Spring(stiffness: 100, damping: odd), Spring(stiffness: odd, damping: odd),
      Spring(stiffness: 100, damping: 10, initialVelocity: odd),
      Spring(mass: odd, stiffness: odd, damping: odd, initialVelocity: odd),
      Spring(mass: 1e300, stiffness: odd, damping: -odd, initialVelocity: odd),
      Spring(dampingRatio: odd, duration: .seconds(1)),
      Spring(dampingRatio: 0.5, duration: .seconds(1), initialVelocity: odd),
      Spring(dampingRatio: odd, duration: .zero, initialVelocity: odd),
      Spring(dampingRatio: 1, duration: .seconds(-3), initialVelocity: odd),
      Spring(dampingRatio: odd, duration: .seconds(Int64.max), initialVelocity: odd),
    ]
    for spring in springs {
      for seconds in [0.1, 1, 60] + oddNumbers {
        #expect(spring.value(at: seconds).isFinite, "\(spring) at \(seconds)")
        #expect(spring.velocity(at: seconds).isFinite, "\(spring) at \(seconds)")
      }
      #expect(spring.value(at: 0) == 0)
      #expect(spring.damping >= 0)
      #expect(spring.settlingDuration >= .zero)
      #expect(spring.settlingDuration <= Spring.longestSettling)
    }
  }
}
