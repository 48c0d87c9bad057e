internal import AsyncPatterns

/// Whose ends let nodes go on that waited for permits of a semaphore.
///
/// What was recorded is who gave each permit, and not for which part a pattern wanted it; and a part that starts on
/// another lane does so a little later. A pattern that parks has started what it could, so permits count in rounds: one
/// that it parked for, and those that were there when it asked on. Its parts start in their order.
struct Wakes {
  struct Wake {
    let edge: SpanTable.Edge
    /// Whether a thread stood parked for it, and did not find the permit there.
    let wasParked: Bool
    /// The index of the first of its round.
    let round: Int
  }

  /// By the node that went on, in the order of recording.
  private var ofNodes: [Int: [Wake]] = [:]
  /// Where among all events parts have started, by their pattern, in order.
  private var starts: [Int: [Int]] = [:]

  /// - Complexity: O(n log n) in the number of nodes and edges.
  init(_ table: SpanTable) {
    let edges = Dictionary(grouping: table.edges.lazy.filter { $0.kind == .woke }, by: \.to)
    if edges.isEmpty { return }
    let parks = Dictionary(
      grouping: table.blocking.intervals.lazy.filter { $0.node != nil }, by: { $0.node ?? 0 })
    for (node, edges) in edges {
      // An end of a park is that of one wake: others at that time found their permit there.
      var ends = Set((parks[node] ?? []).lazy.map(\.to))
      var wakes: [Wake] = []
      for edge in edges {
        let wasParked = ends.remove(edge.time) != nil
        let round = wasParked ? wakes.count : wakes.last?.round ?? 0
        wakes.append(Wake(edge: edge, wasParked: wasParked, round: round))
      }
      ofNodes[node] = wakes
    }
    for node in table.nodes where node.started != nil {
      guard let parent = node.parent, edges[parent] != nil else { continue }
      starts[parent, default: []].append(node.startPosition)
    }
    for pattern in starts.keys { starts[pattern]?.sort() }
  }

  /// What last let a node go on before a position among the events.
  ///
  /// - Complexity: O(log n).
  func last(of node: Int, before position: Int) -> Wake? {
    guard let wakes = ofNodes[node] else { return nil }
    let count = wakes.firstIndexBeyond { $0.edge.position >= position }
    return count > 0 ? wakes[count - 1] : nil
  }

  /// What let a pattern start the part that starts at a position among the events.
  ///
  /// - Complexity: O(log n).
  func last(of pattern: Int, beforeStartAt position: Int) -> Wake? {
    guard let last = last(of: pattern, before: position), let wakes = ofNodes[pattern],
      let starts = starts[pattern]
    else { return nil }
    let began = wakes[last.round].edge.position
    let before = starts.firstIndexBeyond { $0 >= position }
    let earlier = before - starts.firstIndexBeyond { $0 > began }
    let wake = wakes[min(last.round + earlier, wakes.count - 1)]
    return wake.edge.position < last.edge.position ? wake : last
  }
}
