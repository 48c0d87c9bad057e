/// How many leaf steps were in flight at once: at most, and over time.
///
/// What ends at an instant makes room for what starts at it. Steps that take no time at all count in
/// the order they were recorded, so that a million of them one after another are never two.
struct Concurrency {
  private struct Change {
    let time: Int64
    /// Whether it ends what had started before this instant.
    let isEarlierEnd: Bool
    let position: Int
    let amount: Int
  }

  let largest: Int
  /// How many are in flight since when, on the clock of the events, if that was asked for; what takes no time
  /// is in flight at no time.
  private(set) var points: [(time: Int64, count: Int)] = []

  /// - Complexity: O(n log n).
  init(_ table: SpanTable, keepsPoints: Bool = false) {
    var changes: [Change] = []
    for node in table.nodes where node.isLeaf {
      guard let started = node.started else { continue }
      changes.append(
        Change(time: started, isEarlierEnd: false, position: node.startPosition, amount: 1))
      guard let finished = node.finished else { continue }
      changes.append(
        Change(
          time: finished, isEarlierEnd: started < finished, position: node.finishPosition,
          amount: -1))
    }
    changes.sort { left, right in
      if left.time != right.time { return left.time < right.time }
      if left.isEarlierEnd != right.isEarlierEnd { return left.isEarlierEnd }
      return left.position < right.position
    }
    var inFlight = 0
    var largest = 0
    for change in changes {
      inFlight += change.amount
      largest = max(largest, inFlight)
      guard keepsPoints else { continue }
      if points.last?.time == change.time { points.removeLast() }
      if points.last?.count ?? 0 != inFlight { points.append((change.time, inFlight)) }
    }
    self.largest = largest
  }
}
