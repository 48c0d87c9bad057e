/// A ready operation in a queue. It may be out of date. The caller that removes it must check that.
struct ReadyEntry: Comparable, Sendable {
  let rank: Rank
  let stamp: UInt32

  var operation: Int32 { rank.position }

  static func < (one: ReadyEntry, other: ReadyEntry) -> Bool { one.rank < other.rank }
}
