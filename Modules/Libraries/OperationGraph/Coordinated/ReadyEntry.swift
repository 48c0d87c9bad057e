/// A ready operation in a queue. It may be out of date. The caller that removes it must check that.
struct ReadyEntry: Comparable, Sendable {
  let operation: Int32
  let stamp: UInt32
  let rank: Rank

  static func < (one: ReadyEntry, other: ReadyEntry) -> Bool { one.rank < other.rank }
}
