/// The order in which operations start: higher priority first, and at equal priority the one that was ready earlier.
struct Rank: Comparable, Sendable {
  let priority: Int
  let arrival: UInt64

  static func < (one: Rank, other: Rank) -> Bool {
    one.priority != other.priority
      ? one.priority > other.priority : one.arrival < other.arrival
  }
}
