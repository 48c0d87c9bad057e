/// Patterns that timers called off, found by what they are parts of.
///
/// Where a timer of a pattern calls off a part that has parts itself, those end in frames of that part, and the edge to
/// what the timer's code starts next leads from what had ended before the timer was set.
struct CutOffs {
  private let table: SpanTable
  /// By pattern, its parts that a timer called off and that had parts, in the order in which they finished.
  private var parts: [Int: [Int]] = [:]

  /// - Complexity: O(n) in the number of nodes, and O(m log m) in that of patterns that were called off.
  init(_ table: SpanTable) {
    self.table = table
    for (index, node) in table.nodes.enumerated()
    where node.outcome == .cancelled && node.isEndedByTimer && !node.isLeaf {
      if let parent = node.parent { parts[parent, default: []].append(index) }
    }
    parts = parts.mapValues { parts in
      parts.sorted { table.nodes[$0].finishPosition < table.nodes[$1].finishPosition }
    }
  }

  /// What was called off just before another part of its pattern started.
  ///
  /// - Parameter limit: how much earlier it may have ended, in nanoseconds, having taken `duration`.
  ///
  /// - Complexity: O(log m) in the number of parts that were called off.
  func last(beforeStartOf node: Int, within limit: (_ duration: Int64) -> Int64) -> Int? {
    let nodes = table.nodes
    guard let parent = nodes[node].parent, let started = nodes[node].started,
      let parts = parts[parent]
    else { return nil }
    let count = parts.firstIndexBeyond {
      nodes[$0].finishPosition >= nodes[node].startPosition
    }
    guard count > 0, let finished = nodes[parts[count - 1]].finished,
      let duration = nodes[parts[count - 1]].duration,
      started.subtractingClamped(finished) <= limit(duration)
    else { return nil }
    return parts[count - 1]
  }
}
