/// How much later each step could have finished with the run taking no longer, everything else being as it
/// was.
///
/// It goes by what steps are known to have waited for: recorded edges, whoever woke a thread, and turns. Of
/// several that a step waited for only the last one had no slack. What nobody waited for has slack to the end.
///
/// The backward pass of the critical path method: Kelley, Walker, “Critical-Path Planning and Scheduling”,
/// 1959, doi:10.1145/1460299.1460318.
struct Slack {
  /// For each node, in nanoseconds; nil where it did not finish.
  private(set) var ofNode: [Int64?]

  /// - Parameter critical: the leaves of the critical path: they have none.
  /// - Complexity: O(n log n) in the number of nodes and edges.
  init(_ table: SpanTable, _ path: CriticalPath, critical: [Int]) {
    let nodes = table.nodes
    let end = nodes.lazy.compactMap(\.finished).max() ?? 0
    ofNode = nodes.map { node in node.finished.map { end.subtractingClamped($0) } }
    /// When the last part of each pattern finished that it can have waited for.
    var lastPart: [Int64?] = Array(repeating: nil, count: nodes.count)
    for node in nodes {
      guard let parent = node.parent, let finished = node.finished,
        node.finishPosition < nodes[parent].finishPosition
      else { continue }
      lastPart[parent] = max(lastPart[parent] ?? finished, finished)
    }
    var slack = ofNode
    func bound(_ node: Int, by other: Int64) {
      if let known = slack[node] { slack[node] = max(min(known, other), 0) }
    }
    // Whoever waits for a node finishes later, so that its own slack is known by then.
    let order = nodes.indices.sorted { nodes[$0].finishPosition > nodes[$1].finishPosition }
    for index in order {
      let node = nodes[index]
      if let parent = node.parent, let last = lastPart[parent], let finished = node.finished,
        node.finishPosition < nodes[parent].finishPosition
      {
        bound(index, by: last.subtractingClamped(finished).addingClamped(slack[parent] ?? 0))
      }
      let own = slack[index] ?? 0
      if let waker = path.waker(of: index, before: node.finishPosition) { bound(waker, by: own) }
      var sources: [(node: Int, finished: Int64)] = []
      path.forEachSource(of: index) { edge, leaf in
        for source in Set([edge.from, leaf]) {
          guard let finished = nodes[source].finished, finished <= node.started ?? finished else {
            continue
          }
          sources.append((source, finished))
        }
      }
      let ready = sources.lazy.map(\.finished).max() ?? 0
      for source in sources {
        bound(source.node, by: ready.subtractingClamped(source.finished).addingClamped(own))
      }
      if sources.isEmpty, let handOver = path.handOver(toStartOf: index) {
        bound(handOver.from, by: own)
      }
    }
    for leaf in critical { slack[leaf] = 0 }
    ofNode = slack
  }
}
