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
/// - It is the solution of m·x″ + c·x′ + k·(x − 1) = 0 itself, in closed form, for an under-, a critically and
///   an over-damped spring; it passes from one to the other without a step.
/// - No argument makes it anything but a finite number.
///
/// Source: the damped harmonic oscillator of any textbook, e.g. H. Georgi, “The Physics of Waves”,
/// chapter 2.
public struct Spring: Sendable, Hashable {
  /// The mass that hangs on the spring.
  public let mass: Double
  /// The force with which the spring draws to the goal, for one unit of distance.
  public let stiffness: Double
  /// The force that brakes, for one unit of velocity.
  public let damping: Double
  /// Distances (from 0 to 1) a second with which the movement begins.
  public let initialVelocity: Double

  /// A spring of physical quantities, in any consistent units with seconds for the time.
  ///
  /// What would make no movement is brought to the nearest that does: mass and stiffness are clamped to
  /// 1e-12…1e15, damping to 0…1e15 (a negative one would let the movement grow for ever), the velocity to
  /// ±1e12. What is not a number becomes 1, 1e-12, 0 and 0.
  public init(
    mass: Double = 1, stiffness: Double, damping: Double, initialVelocity: Double = 0
  ) {
    self.mass = mass.clamped(to: 1e-12...1e15, ifNotANumber: 1)
    self.stiffness = stiffness.clamped(to: 1e-12...1e15, ifNotANumber: 1e-12)
    self.damping = damping.clamped(to: 0...1e15, ifNotANumber: 0)
    self.initialVelocity = initialVelocity.clamped(to: -1e12...1e12, ifNotANumber: 0)
  }

  /// The position at a moment: 0 at the start, 1 the goal. Before the start it is 0.
  ///
  /// - Parameter seconds: seconds since the start; more than 1e9 count as for ever, when all have come to
  ///   rest at 1. What is not a number counts as 0.
  /// - Complexity: O(1)
  public func value(at seconds: Double) -> Double {
    guard seconds > 0 else { return 0 }
    guard seconds <= Spring.forever else { return 1 }
    return 1 - displacement(at: seconds)
  }

  /// The velocity at a moment, in distances a second: the derivative of ``value(at:)``. Before the start
  /// it is 0.
  ///
  /// - Parameter seconds: as in ``value(at:)``.
  /// - Complexity: O(1)
  public func velocity(at seconds: Double) -> Double {
    guard seconds >= 0 else { return 0 }
    guard seconds <= Spring.forever else { return 0 }
    let (cosine, sine) = decay(at: seconds)
    return (initialVelocity * cosine + pull * sine).madeFinite
  }

  /// Below 1 the spring overshoots and swings, at 1 it takes the shortest way without, above 1 it creeps.
  public var dampingRatio: Double { damping / (2 * (mass * stiffness).squareRoot()) }

  static let forever = 1e9

  /// ω₀²
  var squaredFrequency: Double { stiffness / mass }
  /// σ = ζω₀: how fast the swinging decays.
  var decayRate: Double { damping / (2 * mass) }
  /// ω₀² − σ²: the square of the frequency with which a damped spring swings; negative if it creeps.
  var squaredDampedFrequency: Double { squaredFrequency - decayRate * decayRate }
  /// What the sine part contributes to the velocity.
  var pull: Double { squaredFrequency - decayRate * initialVelocity }

  /// The distance to the goal.
  func displacement(at seconds: Double) -> Double {
    let (cosine, sine) = decay(at: seconds)
    return (cosine + (decayRate - initialVelocity) * sine).madeFinite
  }

  /// The two solutions of the equation of motion: the one that starts at 1 (less σ times the other) and the
  /// one that starts at 0 with velocity 1.
  ///
  /// Both are written so that neither cancels: not near critical damping, where the frequency goes to 0,
  /// nor far beyond it, where cosh and sinh overflow.
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
    // The slower of the two rates; σ − frequency would cancel.
    let envelope = exp(-squaredFrequency / (decayRate + frequency) * seconds)
    let rest = expm1(-2 * frequency * seconds)
    return (envelope * (1 + rest / 2), envelope * -rest / (2 * frequency))
  }
}
