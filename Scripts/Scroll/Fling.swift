import Foundation

/// The movement of a list that is flung: fast, then slower and slower, until it stops.
struct Fling: Sendable {
  /// The distance it moves, in units.
  let distance: Double
  let duration: Duration
  /// How quickly it slows down: the speed is divided by e this many times a second.
  let decay: Double

  /// The distance it has moved after `time`.
  func offset(after time: Duration) -> Double {
    let whole = 1 - exp(-decay * (duration / .seconds(1)))
    let share = 1 - exp(-decay * (time / .seconds(1)))
    return whole > 0 ? distance * min(share / whole, 1) : distance
  }
}
