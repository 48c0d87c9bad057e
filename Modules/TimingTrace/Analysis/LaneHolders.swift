internal import AsyncPatterns

/// Who held which lane: leaves that worked or stood parked, and patterns that stood parked.
struct LaneHolders {
  /// The leaves, in the order in which they finished.
  private var ofLanes: [Lane: [Int]] = [:]
  /// When patterns stood parked, in the order in which that ended.
  private var parks: [Lane: [BlockedLanes.Interval]] = [:]
  private let nodes: [SpanTable.Node]

  /// - Parameter finishers: leaves in the order in which they finished.
  init(_ table: SpanTable, finishers: [Int]) {
    nodes = table.nodes
    for leaf in finishers {
      if let lane = nodes[leaf].workLane ?? nodes[leaf].blockLane {
        ofLanes[lane, default: []].append(leaf)
      }
    }
    for interval in table.blocking.intervals.sorted(by: { $0.to < $1.to }) {
      guard let node = interval.node, !nodes[node].isLeaf, !interval.isOpen else { continue }
      parks[interval.lane, default: []].append(interval)
    }
  }

  /// The leaf that held the lane on which a node started until then.
  ///
  /// - Parameter ready: when all else that the node waited for had ended. What held the lane hardly longer was not
  ///   what it waited for, but who ended while another worker was on its way: within a fiftieth of its own time, and
  ///   no more than a millisecond.
  /// - Complexity: O(log n).
  func last(before node: Int, readyAt ready: Int64) -> Int? {
    guard let lane = nodes[node].startLane, let leaves = ofLanes[lane] else { return nil }
    let start = nodes[node].startPosition
    let count = leaves.firstIndexBeyond { nodes[$0].finishPosition >= start }
    guard count > 0 else { return nil }
    let leaf = leaves[count - 1]
    guard leaf != node, let finished = nodes[leaf].finished, let duration = nodes[leaf].duration,
      Self.isLonger(finished, than: ready, holding: duration)
    else { return nil }
    return leaf
  }

  /// The last time until then that a pattern stood parked on the lane on which a node started.
  ///
  /// - Parameter ready: as with a leaf.
  /// - Complexity: O(log n).
  func park(before node: Int, readyAt ready: Int64) -> BlockedLanes.Interval? {
    guard let lane = nodes[node].startLane, let started = nodes[node].started,
      let parks = parks[lane]
    else { return nil }
    let count = parks.firstIndexBeyond { $0.to > started }
    guard count > 0 else { return nil }
    let last = parks[count - 1]
    return Self.isLonger(last.to, than: ready, holding: last.length) ? last : nil
  }

  private static func isLonger(_ end: Int64, than ready: Int64, holding time: Int64) -> Bool {
    end > ready && end.subtractingClamped(ready) > min(time / 50, 1_000_000)
  }
}
