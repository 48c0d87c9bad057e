internal import AsyncPatterns

/// The leaves that worked or stood parked, by the lane that they held.
struct LaneHolders {
  /// In the order in which they finished.
  private var ofLanes: [Lane: [Int]] = [:]
  private let nodes: [SpanTable.Node]

  /// - Parameter finishers: leaves in the order in which they finished.
  init(_ table: SpanTable, finishers: [Int]) {
    nodes = table.nodes
    for leaf in finishers {
      if let lane = nodes[leaf].workLane ?? nodes[leaf].blockLane {
        ofLanes[lane, default: []].append(leaf)
      }
    }
  }

  /// The leaf that held the lane on which a node started until then.
  ///
  /// - Parameter ready: when all else that the node waited for had ended. What held the lane hardly longer was not
  ///   what it waited for, but who ended while another worker was on its way: within a fiftieth of its own time.
  /// - Complexity: O(log n).
  func last(before node: Int, readyAt ready: Int64) -> Int? {
    guard let lane = nodes[node].startLane, let leaves = ofLanes[lane] else { return nil }
    let start = nodes[node].startPosition
    let count = leaves.firstIndexBeyond { nodes[$0].finishPosition >= start }
    guard count > 0 else { return nil }
    let leaf = leaves[count - 1]
    guard leaf != node, let finished = nodes[leaf].finished, let duration = nodes[leaf].duration,
      finished > ready, finished.subtractingClamped(ready) > duration / 50
    else { return nil }
    return leaf
  }
}
