/// The order in which operations start: by priority, the highest first. At equal priority, the
/// operation that was ready earlier comes first.
struct Rank: Comparable, Sendable {
  let priority: Int
  let arrival: UInt64

  static func < (one: Rank, other: Rank) -> Bool {
    one.priority != other.priority
      ? one.priority > other.priority : one.arrival < other.arrival
  }
}
