internal import AsyncPatterns

/// Who held which lane: leaves that worked or stood parked, and patterns that stood parked.
struct LaneHolders {
  /// The leaves, in the order in which they finished.
  private var ofLanes: [Lane: [Int]] = [:]
  /// When patterns stood parked, in the order in which that ended.
  private var parks: [Lane: [BlockedLanes.Interval]] = [:]
  private let nodes: [SpanTable.Node]
  private let latency: Latency

  /// - Parameter finishers: leaves and others, in the order in which they finished.
  init(_ table: SpanTable, finishers: [Int], _ latency: Latency) {
    nodes = table.nodes
    self.latency = latency
    for leaf in finishers where nodes[leaf].isLeaf {
      if let lane = nodes[leaf].workLane ?? nodes[leaf].blockLane {
        ofLanes[lane, default: []].append(leaf)
      }
    }
    for interval in table.blocking.intervals.sorted(by: { $0.to < $1.to }) {
      guard let node = interval.node, !nodes[node].isLeaf, !interval.isOpen else { continue }
      // Who parks and goes on in one moment has held nothing, but may hide who did.
      guard interval.length > 0 else { continue }
      parks[interval.lane, default: []].append(interval)
    }
  }

  /// A time at which a node got a lane that it had to have.
  struct Turn {
    let node: Int
    let lane: Lane
    let time: Int64
    /// Where among all events that was.
    let position: Int
    /// When all else that the node waited for had ended.
    var ready: Int64
  }

  /// The leaf that held the lane until a node got it. One that had left it before then was not what the node waited for.
  ///
  /// What held the lane hardly longer than the node was ready was not what that waited for, but who ended while another
  /// worker was on its way.
  ///
  /// - Complexity: O(log n).
  func last(before turn: Turn) -> Int? {
    guard let leaf = lastUser(before: turn), let finished = nodes[leaf].finished,
      let duration = nodes[leaf].duration, isLonger(finished, than: turn.ready, holding: duration),
      isUntil(turn.time, finished, holding: duration)
    else { return nil }
    return leaf
  }

  /// The leaf that had the lane before a node got it, however long before.
  ///
  /// - Complexity: O(log n).
  func lastUser(before turn: Turn) -> Int? {
    guard let leaves = ofLanes[turn.lane] else { return nil }
    let count = leaves.firstIndexBeyond { nodes[$0].stopPosition >= turn.position }
    guard count > 0, leaves[count - 1] != turn.node else { return nil }
    return leaves[count - 1]
  }

  /// The last time that a pattern stood parked on a lane until a node got it.
  ///
  /// - Complexity: O(log n).
  func park(before turn: Turn) -> BlockedLanes.Interval? {
    guard let parks = parks[turn.lane] else { return nil }
    let count = parks.firstIndexBeyond { $0.to > turn.time }
    guard count > 0 else { return nil }
    let last = parks[count - 1]
    let isHolder =
      isLonger(last.to, than: turn.ready, holding: last.length)
      && isUntil(turn.time, last.to, holding: last.length)
    return isHolder ? last : nil
  }

  private func isUntil(_ turn: Int64, _ end: Int64, holding time: Int64) -> Bool {
    turn.subtractingClamped(end) <= latency.handOverLimit(beside: time)
  }

  private func isLonger(_ end: Int64, than ready: Int64, holding time: Int64) -> Bool {
    end > ready && end.subtractingClamped(ready) > latency.limit(beside: time)
  }
}
