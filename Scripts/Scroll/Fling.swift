import Foundation

/// A list that has been flung: fast, then slower and slower, until it stands.
struct Fling: Sendable {
  /// How far it goes, in units.
  let distance: Double
  let duration: Duration
  /// By how much it slows down: its speed is divided by e that many times a second.
  let decay: Double

  /// How far it has come.
  func offset(after time: Duration) -> Double {
    let whole = 1 - exp(-decay * (duration / .seconds(1)))
    let share = 1 - exp(-decay * (time / .seconds(1)))
    return whole > 0 ? distance * min(share / whole, 1) : distance
  }
}
