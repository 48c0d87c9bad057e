internal import AsyncPatterns

/// Whose ends called others off: what resolved a pattern from outside, or the innermost pattern around a node that the
/// node did not end with.
struct Deciders {
  private let table: SpanTable
  private let lastLeaves: LastLeaves
  private let nesting: Nesting
  private let latency: Latency
  /// For each node the innermost pattern around it that another leaf decided than the one it ended with.
  private var beyond: [Int?]

  /// - Complexity: O(n) in the number of nodes.
  init(_ table: SpanTable, _ lastLeaves: LastLeaves, _ nesting: Nesting, _ latency: Latency) {
    self.table = table
    self.lastLeaves = lastLeaves
    self.nesting = nesting
    self.latency = latency
    beyond = Array(repeating: nil, count: table.nodes.count)
    // For each node the innermost pattern around it that a leaf decided.
    var around = beyond
    // Parts come after their pattern.
    for (index, node) in table.nodes.enumerated() {
      guard let parent = node.parent else { continue }
      around[index] = Self.hasDecided(lastLeaves.all[parent], in: table) ? parent : around[parent]
      guard let pattern = around[index] else { continue }
      beyond[index] =
        lastLeaves.all[pattern] == lastLeaves.all[index] ? beyond[pattern] : pattern
    }
  }

  private static func hasDecided(_ leaf: Int?, in table: SpanTable) -> Bool {
    guard let leaf else { return false }
    return table.nodes[leaf].outcome != .cancelled || table.nodes[leaf].tellsOfTimer
  }

  /// Whose end called a node off, if that was when the node ended.
  ///
  /// - Complexity: O(1).
  func decider(of node: Int) -> Int? {
    let nodes = table.nodes
    guard let finished = nodes[node].finished, let leaf = leaf(callingOff: node),
      let end = nodes[leaf].goesOn ? nodes[leaf].cut?.time : nodes[leaf].finished,
      finished.subtractingClamped(end).magnitude
        <= latency.handOverLimit(beside: nodes[node].duration ?? 0).magnitude
    else { return nil }
    // What comes after a timer has cut the node off is none of the reasons, but where that was with a pattern around it.
    if let cut = nodes[node].cut, nodes[leaf].endPosition > cut.position,
      !nesting.isPart(node, of: leaf)
    {
      return nil
    }
    return leaf
  }

  private func leaf(callingOff node: Int) -> Int? {
    if let own = lastLeaves.all[node], !nesting.isPart(own, of: node),
      Self.hasDecided(own, in: table)
    {
      return own
    }
    return beyond[node].flatMap { lastLeaves.all[$0] }
  }
}
