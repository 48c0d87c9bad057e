#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The movement of a mass on a damped spring from 0 to its goal at 1.
///
/// ```swift
/// let spring = Spring(stiffness: 100, damping: 10)
/// spring.value(at: 0.25)   // 1.023360: it overshoots
/// spring.settlingDuration  // when it has come to rest
/// ```
///
/// - The value is exactly 0 at 0 seconds, and the velocity there is ``initialVelocity``.
/// - It is the exact solution of m·x″ + c·x′ + k·(x − 1) = 0 in closed form. The spring may be under-damped, critically
///   damped or over-damped. The transitions between these cases are continuous.
/// - The result is a finite number for every argument.
///
/// Source: the damped harmonic oscillator of any textbook, such as H. Georgi, “The Physics of Waves”, chapter 2.
public struct Spring: Sendable, Hashable {
  /// The mass on the spring.
  public let mass: Double
  /// The force towards the goal, for one unit of distance.
  public let stiffness: Double
  /// The braking force, for one unit of velocity.
  public let damping: Double
  /// The velocity at the start, in distances (from 0 to 1) per second.
  public let initialVelocity: Double

  /// A spring with physical quantities, in any consistent units with seconds as the unit of time.
  ///
  /// Arguments that give no valid movement are replaced by the nearest ones that give one. Mass and stiffness are
  /// clamped to 1e-12…1e15, damping to 0…1e15, and the velocity to ±1e12. A negative damping would let the movement
  /// grow forever. NaN becomes 1 for the mass, 1e-12 for the stiffness, and 0 for the damping and the velocity.
  public init(
    mass: Double = 1, stiffness: Double, damping: Double, initialVelocity: Double = 0
  ) {
    self.mass = mass.clamped(to: 1e-12...1e15, ifNotANumber: 1)
    self.stiffness = stiffness.clamped(to: 1e-12...1e15, ifNotANumber: 1e-12)
    self.damping = damping.clamped(to: 0...1e15, ifNotANumber: 0)
    self.initialVelocity = initialVelocity.clamped(to: -1e12...1e12, ifNotANumber: 0)
  }

  /// The position at a time: 0 at the start and before it, 1 at the goal.
  ///
  /// - Parameter seconds: seconds since the start. After more than 1e9 seconds every spring counts as at rest at 1. NaN
  ///   counts as 0.
  /// - Complexity: O(1)
  public func value(at seconds: Double) -> Double {
    guard seconds > 0 else { return 0 }
    guard seconds <= Spring.forever else { return 1 }
    return 1 - displacement(at: seconds)
  }

  /// The velocity at a time, in distances per second: the derivative of ``value(at:)``. Before the start it is 0.
  ///
  /// - Parameter seconds: as in ``value(at:)``, except that NaN counts as a time before the start.
  /// - Complexity: O(1)
  public func velocity(at seconds: Double) -> Double {
    guard seconds >= 0 else { return 0 }
    guard seconds <= Spring.forever else { return 0 }
    let (cosine, sine) = decay(at: seconds)
    return (initialVelocity * cosine + pull * sine).madeFinite
  }

  /// Below 1 the spring overshoots and oscillates. At 1 it arrives as fast as possible without overshooting. Above 1 it
  /// approaches slowly.
  public var dampingRatio: Double { damping / (2 * (mass * stiffness).squareRoot()) }

  static let forever = 1e9

  /// ω₀²
  var squaredFrequency: Double { stiffness / mass }
  /// σ = ζω₀: how fast the oscillation decays.
  var decayRate: Double { damping / (2 * mass) }
  /// ω₀² − σ²: the square of the frequency of a damped spring; negative if the spring is over-damped.
  var squaredDampedFrequency: Double { squaredFrequency - decayRate * decayRate }
  /// The contribution of the sine part to the velocity.
  var pull: Double { squaredFrequency - decayRate * initialVelocity }

  /// The distance to the goal.
  func displacement(at seconds: Double) -> Double {
    let (cosine, sine) = decay(at: seconds)
    return (cosine + (decayRate - initialVelocity) * sine).madeFinite
  }

  /// The two solutions of the equation of motion. The first starts at 1 with a velocity of −σ. The second starts at 0
  /// with a velocity of 1.
  ///
  /// Both are written to avoid cancellation near critical damping, where the frequency approaches 0. Far beyond it they
  /// avoid cosh and sinh, which would overflow.
  func decay(at seconds: Double) -> (cosine: Double, sine: Double) {
    let square = squaredDampedFrequency
    if square > 0 {
      let frequency = square.squareRoot()
      let envelope = exp(-decayRate * seconds)
      return (
        envelope * cos(frequency * seconds), envelope * sin(frequency * seconds) / frequency
      )
    }
    if square == 0 {
      let envelope = exp(-decayRate * seconds)
      return (envelope, envelope * seconds)
    }
    let frequency = (-square).squareRoot()
    // The slower of the two rates. Subtracting the frequency from σ would lose digits to cancellation.
    let envelope = exp(-squaredFrequency / (decayRate + frequency) * seconds)
    let rest = expm1(-2 * frequency * seconds)
    return (envelope * (1 + rest / 2), envelope * -rest / (2 * frequency))
  }
}
