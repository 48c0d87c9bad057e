#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Spring {
  /// The distance from the goal that counts as being there: a thousandth of the whole way.
  public static let tolerance = 0.001

  /// What ``settlingDuration`` is at most: ten minutes.
  public static let longestSettling = Duration.seconds(600)

  /// The time after which the spring never again leaves its goal by more than ``tolerance``.
  ///
  /// It is the exact moment, not that of an envelope. A spring that hardly brakes (or does not at all) is
  /// called settled after ``longestSettling``, so that whatever waits for it comes to its end.
  ///
  /// - Complexity: O(1): at most two hundred halvings.
  public var settlingDuration: Duration {
    let longest = Spring.longestSettling / .seconds(1)
    // Between two turning points the way is monotone: so find the last one outside the tolerance, and
    // then the moment at which the way to the next one enters it.
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

  /// The last turning point (the start is one) that is too far from the goal, and the one after it.
  private func lastFarTurn(before longest: Double) -> (turn: Double, next: Double) {
    func isFar(_ seconds: Double) -> Bool { abs(displacement(at: seconds)) > Spring.tolerance }

    guard squaredDampedFrequency > 0 else {
      // At most one turning point after the start.
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
    // Every turning point is nearer than the one before by the same factor.
    let turns = log(abs(displacement(at: first)) / Spring.tolerance) / (decayRate * halfPeriod)
    guard first + turns * halfPeriod < longest else { return (longest, .infinity) }
    var turn = first + turns.rounded(.down) * halfPeriod
    // Rounding may have taken us one too far.
    if !isFar(turn) { turn -= halfPeriod }
    return (max(turn, 0), turn + halfPeriod)
  }

  /// Where a spring that does not swing has no velocity: only if it starts fast enough to overshoot, or
  /// away from its goal.
  private var onlyTurn: Double? {
    let frequency = (-squaredDampedFrequency).squareRoot()
    // sine / cosine = −v / pull, where sine / cosine is t, or tanh(frequency · t) / frequency.
    let ratio = -initialVelocity / pull
    let turn = frequency > 0 ? atanh(ratio * frequency) / frequency : ratio
    return turn.isFinite && turn > 0 ? turn : nil
  }
}
