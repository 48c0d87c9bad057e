#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Spring {
  /// A spring with a mass of 1 that has a given damping ratio and comes to rest within a given duration. These are the
  /// arguments of UIView's `usingSpringWithDamping:initialSpringVelocity:`.
  ///
  /// UIKit does not publish its formula. This one was derived from UIKit's behaviour. Let ω be the undamped frequency
  /// and T the duration. Then ω is the largest root of
  ///
  /// - ((ζω − v) / ω_d) · e^(−ζωT) = 0.001 for ζ < 1, with ω_d = ω·√(1 − ζ²). If v is so large that there is no root, ω
  ///   is the frequency at which the whole envelope has decreased to 0.001. The envelope is
  ///   √(1 + ((ζω − v) / ω_d)²) · e^(−ζωT);
  /// - (1 + |ω − v|·T) · e^(−ωT) = 0.001 for ζ = 1, and its over-damped counterpart for ζ > 1. The left side is at
  ///   least the distance at T. There is always a root.
  ///
  /// The stiffness is then ω², and the damping is 2ζω.
  ///
  /// - Parameters:
  ///   - dampingRatio: ζ, clamped to 0.01…1000 (below 0.001 there would be no root); NaN counts as 1.
  ///   - duration: clamped to the range from one millisecond to 100 000 seconds.
  ///   - initialVelocity: v, in distances per second, clamped to ±1e6; NaN counts as 0.
  /// - Complexity: O(1): at most two hundred bisections.
  public init(dampingRatio: Double, duration: Duration, initialVelocity: Double = 0) {
    let ratio = dampingRatio.clamped(to: 0.01...1000, ifNotANumber: 1)
    let seconds = (duration / .seconds(1)).clamped(to: 0.001...100_000, ifNotANumber: 1)
    let velocity = initialVelocity.clamped(to: -1e6...1e6, ifNotANumber: 0)
    let frequency = Spring.frequency(ratio, velocity: velocity * seconds) / seconds
    self.init(
      stiffness: frequency * frequency, damping: 2 * ratio * frequency, initialVelocity: velocity)
  }

  /// ω for a duration of 1.
  private static func frequency(_ ratio: Double, velocity: Double) -> Double {
    // This close to critical damping, both formulas of the under-damped case would divide by zero.
    guard ratio < 1 - 1e-6 else { return creepingFrequency(max(ratio, 1), velocity: velocity) }
    let root = (1 - ratio * ratio).squareRoot()
    // Both left sides of the under-damped case minus the tolerance, as functions of u = ζω.
    func signed(_ u: Double) -> Double { (1 - velocity / u) * ratio / root * exp(-u) - tolerance }
    func whole(_ u: Double) -> Double {
      let sine = (1 - velocity / u) * ratio / root
      return (1 + sine * sine).squareRoot() * exp(-u) - tolerance
    }
    // `signed` decreases from here on.
    let peak =
      velocity > 0 ? max((velocity + (velocity * (velocity + 4)).squareRoot()) / 2, 1e-6) : 1e-6
    let u =
      signed(peak) > 0 ? Spring.root(of: signed, above: peak) : Spring.root(of: whole, above: 1e-6)
    return u / ratio
  }

  private static func creepingFrequency(_ ratio: Double, velocity: Double) -> Double {
    func distance(_ frequency: Double) -> Double {
      let spring = Spring(stiffness: frequency * frequency, damping: 2 * ratio * frequency)
      let decay = spring.decay(at: 1)
      return decay.cosine + abs(ratio * frequency - velocity) * decay.sine - tolerance
    }
    return root(of: distance, above: 1e-3)
  }

  /// A root of a function that is positive at `low` and negative at large arguments.
  private static func root(of function: (Double) -> Double, above low: Double) -> Double {
    var low = low
    var high = max(2 * low, 1)
    while function(high) > 0, high < 1e9 {
      low = high
      high *= 2
    }
    for _ in 0..<200 {
      let middle = low + (high - low) / 2
      guard middle > low, middle < high else { break }
      if function(middle) > 0 { low = middle } else { high = middle }
    }
    return high
  }
}
