/// Who comes first: the higher priority, and then whoever became ready first.
struct Rank: Comparable, Sendable {
  let priority: Int
  let arrival: UInt64

  static func < (one: Rank, other: Rank) -> Bool {
    one.priority != other.priority
      ? one.priority > other.priority : one.arrival < other.arrival
  }
}
