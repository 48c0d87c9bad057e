#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Spring {
  /// The distance from the goal that counts as having arrived: a thousandth of the whole distance.
  public static let tolerance = 0.001

  /// The maximum of ``settlingDuration``: ten minutes.
  public static let longestSettling = Duration.seconds(600)

  /// The time after which the spring is never again farther than ``tolerance`` from its goal.
  ///
  /// It is the exact time, not that of an envelope. A spring with little or no damping counts as settled after
  /// ``longestSettling``, so that code that waits for it does not wait forever.
  ///
  /// - Complexity: O(1): at most two hundred bisections.
  public var settlingDuration: Duration {
    let longest = Spring.longestSettling / .seconds(1)
    // The movement is monotone between two turning points. So this finds the last turning point outside the tolerance,
    // and then the time after it at which the movement enters the tolerance.
    var (low, high) = lastFarTurn(before: longest)
    guard low < longest else { return Spring.longestSettling }
    let side: Double = displacement(at: low) < 0 ? -1 : 1
    high = min(high, longest)
    if side * displacement(at: high) > Spring.tolerance { return Spring.longestSettling }
    for _ in 0..<200 {
      let middle = low + (high - low) / 2
      guard middle > low, middle < high else { break }
      if side * displacement(at: middle) > Spring.tolerance { low = middle } else { high = middle }
    }
    return .seconds(high)
  }

  /// The last turning point that is too far from the goal, and the one after it. The start counts as a turning point.
  private func lastFarTurn(before longest: Double) -> (turn: Double, next: Double) {
    func isFar(_ seconds: Double) -> Bool { abs(displacement(at: seconds)) > Spring.tolerance }

    guard squaredDampedFrequency > 0 else {
      // There is at most one turning point after the start.
      guard let turn = onlyTurn, turn < longest else { return (0, .infinity) }
      return isFar(turn) ? (turn, .infinity) : (0, turn)
    }
    let frequency = squaredDampedFrequency.squareRoot()
    let halfPeriod = Double.pi / frequency
    var first = atan2(-initialVelocity * frequency, pull) / frequency
    if first <= 0 { first += halfPeriod }
    if first <= 0 || first > halfPeriod { first = halfPeriod }
    guard isFar(first) else { return (0, first) }
    guard decayRate > 0 else { return (longest, .infinity) }
    // Each turning point is nearer to the goal than the one before, by a constant factor.
    let turns = log(abs(displacement(at: first)) / Spring.tolerance) / (decayRate * halfPeriod)
    guard first + turns * halfPeriod < longest else { return (longest, .infinity) }
    var turn = first + turns.rounded(.down) * halfPeriod
    // Rounding may have gone one turning point too far.
    if !isFar(turn) { turn -= halfPeriod }
    return (max(turn, 0), turn + halfPeriod)
  }

  /// The time at which a spring that does not oscillate turns back. It does so only if it first moves away from its
  /// goal, or starts fast enough to overshoot.
  private var onlyTurn: Double? {
    let frequency = (-squaredDampedFrequency).squareRoot()
    // The velocity is 0 where sine / cosine = −v / pull. That quotient is t if the spring is critically damped, and
    // tanh(frequency · t) / frequency if it is over-damped.
    let ratio = -initialVelocity / pull
    let turn = frequency > 0 ? atanh(ratio * frequency) / frequency : ratio
    return turn.isFinite && turn > 0 ? turn : nil
  }
}
