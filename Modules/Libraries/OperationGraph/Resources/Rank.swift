/// The order in which operations start: by priority, the highest first. At equal priority, the
/// operation that was ready earlier comes first. Of those that became ready together, the one that
/// was added first comes first.
struct Rank: Comparable, Sendable {
  let priority: Int
  let arrival: UInt64
  /// The position in the order of adding, where several operations have the same arrival.
  var position: Int32 = 0

  static func < (one: Rank, other: Rank) -> Bool {
    (other.priority, one.arrival, one.position) < (one.priority, other.arrival, other.position)
  }
}
