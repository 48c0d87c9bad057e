/// The largest number of leaf steps that were in flight at the same time.
///
/// At the same instant, ends count before starts. Steps that take no time count in the order in which they were
/// recorded. So even a million such steps in a row never count as two at the same time.
struct Concurrency {
  private struct Change {
    let time: Int64
    /// Whether it ends a step that started before this instant.
    let isEarlierEnd: Bool
    let position: Int
    let amount: Int
  }

  let largest: Int
  /// - Complexity: O(n log n).
  init(_ table: SpanTable) {
    var changes: [Change] = []
    changes.reserveCapacity(2 * table.nodes.count)
    for index in table.nodes.indices where table.nodes[index].isLeaf {
      let node = table.nodes[index]
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
    }
    self.largest = largest
  }
}
