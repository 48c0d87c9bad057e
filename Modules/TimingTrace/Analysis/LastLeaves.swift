internal import AsyncPatterns

/// The leaf that each node ended with.
///
/// That is the one that resolved it, or else the one in it that finished last, of those that finished no later than it;
/// or who then held the lane that the node needed to end. A pattern that a timer ended is a leaf in this.
struct LastLeaves {
  /// By node; nil for what has not finished, or has no parts that have.
  private(set) var all: [Int?]
  /// For each pattern that had to wait for its lane when its last part had ended, the leaf that held that.
  private(set) var holders: [Int: Int] = [:]

  /// - Complexity: O(n log n) in the number of nodes and edges.
  init(_ table: SpanTable, _ lanes: LaneHolders, _ latency: Latency) {
    let nodes = table.nodes
    all = Array(repeating: nil, count: nodes.count)
    var latest = all
    // Where that one ended; or, if a timer cut it off and it went on, the part that ended with that.
    var latestPosition = [Int](repeating: .min, count: nodes.count)
    // Of each pattern, the part that a timer cut off last and that went on for longer than the pattern.
    var outlasting = all
    var resolvers: [Int: Int] = [:]
    for edge in table.edges where edge.kind == .resolvedBy { resolvers[edge.to] = edge.from }
    // Parts come after their pattern, so that backwards every pattern finds its parts done.
    for index in nodes.indices.reversed() {
      if nodes[index].isOnPaths {
        latest[index] = nodes[index].duration == nil ? nil : index
      }
      if !nodes[index].endsByTimer, let part = resolvers[index], let leaf = all[part] {
        latest[index] = leaf
      }
      if let part = outlasting[index],
        Self.isLast(part, after: latest[index], in: nodes[index], nodes, latency)
      {
        latest[index] = part
      }
      if let leaf = latest[index], leaf != index,
        let holder = Self.holder(beforeEndOf: index, after: leaf, nodes, lanes, latency)
      {
        holders[index] = holder
        latest[index] = holder
      }
      all[index] = latest[index]
      guard let leaf = latest[index], let parent = nodes[index].parent else { continue }
      if nodes[parent].endsByTimer { continue }
      if let cut = nodes[index].cut, nodes[index].goesOn,
        nodes[index].finishPosition > nodes[parent].finishPosition
      {
        // Of several that were cut off together the first one.
        let known = outlasting[parent].flatMap { nodes[$0].cut?.position } ?? .min
        if cut.position >= known { outlasting[parent] = index }
      }
      // Stragglers finish after their pattern and cannot be what others waited for.
      let isBeyond =
        nodes[leaf].goesOn && nodes[leaf].finishPosition > nodes[index].finishPosition
      let position = nodes[isBeyond ? index : leaf].stopPosition
      guard position <= nodes[parent].stopPosition, position > latestPosition[parent] else {
        continue
      }
      latest[parent] = leaf
      latestPosition[parent] = position
    }
    // Who called something off from outside may have been submitted before it.
    for (node, resolver) in resolvers where resolver < node {
      all[node] = all[resolver] ?? all[node]
    }
  }

  /// Whether what a pattern had to wait for last was that a timer cut a part off that went on, and not the last of the
  /// others.
  private static func isLast(
    _ part: Int, after leaf: Int?, in pattern: SpanTable.Node, _ nodes: [SpanTable.Node],
    _ latency: Latency
  ) -> Bool {
    guard let cut = nodes[part].cut, let finished = pattern.finished else { return false }
    guard let leaf, let end = nodes[leaf].finished else { return true }
    return nodes[leaf].stopPosition < cut.position
      && finished.subtractingClamped(end) > latency.limit(beside: pattern.duration ?? 0)
  }

  /// Who held the lane on which a pattern ended until then, and for longer than the part that it ended with took.
  private static func holder(
    beforeEndOf pattern: Int, after leaf: Int, _ nodes: [SpanTable.Node], _ lanes: LaneHolders,
    _ latency: Latency
  ) -> Int? {
    guard let lane = nodes[pattern].finishLane, let finished = nodes[pattern].finished,
      let ready = nodes[leaf].finished, finished > ready, nodes[pattern].outcome != .cancelled
    else { return nil }
    let turn = LaneHolders.Turn(
      node: pattern, lane: lane, time: finished, position: nodes[pattern].stopPosition,
      ready: ready)
    guard let holder = lanes.last(before: turn), let end = nodes[holder].finished,
      let duration = nodes[holder].duration,
      finished.subtractingClamped(end) <= latency.limit(beside: duration)
    else { return nil }
    return holder
  }
}
