/// Ready operations, the most urgent first: a binary heap (J. W. J. Williams, 1964, doi:10.1145/512274.3734138).
///
/// An entry may be out of date. The caller that removes it must check that.
struct ReadyQueue: Sendable {
  struct Entry: Sendable {
    let operation: Int32
    let stamp: UInt32
    let rank: Rank
  }

  private var entries: [Entry] = []

  var first: Entry? { entries.first }

  /// - Complexity: O(log *n*)
  mutating func push(_ entry: Entry) {
    entries.append(entry)
    var place = entries.count - 1
    while place > 0 {
      let above = (place - 1) / 2
      guard entries[place].rank < entries[above].rank else { return }
      entries.swapAt(place, above)
      place = above
    }
  }

  /// - Complexity: O(log *n*)
  mutating func removeFirst() {
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var place = 0
    while true {
      var least = place
      for below in [2 * place + 1, 2 * place + 2]
      where below < entries.count && entries[below].rank < entries[least].rank {
        least = below
      }
      guard least != place else { return }
      entries.swapAt(place, least)
      place = least
    }
  }

  mutating func removeAll() { entries = [] }
}
