internal import AsyncPatterns

/// The chain of leaf steps that a run's makespan is made of.
///
/// From the last finisher it walks back, each time to what the step had to wait for: of the
/// predecessors that recorded edges name, the one that finished last before the start; without edges,
/// where the step did wait, the last leaf to finish while it waited. Where a step waited for nothing
/// itself, its pattern may have. A pattern that stood parked started the step as soon as it was woken,
/// by whom an edge tells; and so with a step that stood parked itself.
struct CriticalPath {
  private let table: SpanTable
  /// The edges by the node they lead to.
  private let incoming: IncomingEdges
  /// The edges from who woke a node, in the order of recording.
  private let wakes: [Int: [SpanTable.Edge]]
  /// For each node, the leaf in it that finished last, of those that finished no later than it.
  private let lastLeaf: [Int?]
  /// Leaves in the order in which they finished.
  private let finishers: [Int]

  init(_ table: SpanTable) {
    self.table = table
    incoming = IncomingEdges(table.edges.filter { $0.kind != .woke }, nodeCount: table.nodes.count)
    wakes = Dictionary(grouping: table.edges.lazy.filter { $0.kind == .woke }, by: \.to)
    lastLeaf = CriticalPath.lastLeaves(table)
    finishers = table.nodes.indices
      .filter { table.nodes[$0].isLeaf && table.nodes[$0].duration != nil }
      .sorted { table.nodes[$0].finishPosition < table.nodes[$1].finishPosition }
  }

  /// The leaves on the path, the first one first.
  ///
  /// - Complexity: O(n log n) in the number of steps and edges.
  func leaves() -> [Int] {
    guard var current = lastFinisher else { return [] }
    var path = [current]
    var visited: Set<Int> = [current]
    while let previous = handOver(to: current)?.from, visited.insert(previous).inserted {
      path.append(previous)
      current = previous
    }
    return path.reversed()
  }

  /// The leaf that ended the run. One that was called off ended because of whoever finished at that
  /// moment, within a fiftieth of its own time.
  private var lastFinisher: Int? {
    guard let last = finishers.last else { return nil }
    let node = table.nodes[last]
    guard node.outcome == .cancelled, let finished = node.finished, let duration = node.duration
    else { return last }
    for other in finishers.reversed() {
      guard let end = table.nodes[other].finished, finished - end <= duration / 50 else { break }
      if table.nodes[other].outcome != .cancelled { return other }
    }
    return last
  }

  /// What a leaf had to wait for last; nil if it waited for nobody.
  func handOver(to leaf: Int) -> HandOver? {
    if let waker = waker(of: leaf, before: table.nodes[leaf].finishPosition), waker != leaf {
      return HandOver(from: waker, to: leaf, reason: .woke)
    }
    var node: Int? = leaf
    while let current = node {
      if let handOver = handOver(toStartOf: current) { return handOver }
      node = table.nodes[current].parent
    }
    return nil
  }

  /// What let a node start, leaf or pattern, not counting what its own pattern had to wait for.
  func handOver(toStartOf node: Int) -> HandOver? {
    if let binding = binding(of: node) { return binding }
    guard !incoming.hasAny(node) else { return nil }
    if let parent = table.nodes[node].parent,
      let waker = waker(of: parent, before: table.nodes[node].startPosition)
    {
      return HandOver(from: waker, to: node, reason: .woke)
    }
    return finisher(before: node).map { HandOver(from: $0, to: node, reason: .turn) }
  }

  /// Whose end last woke a step that stood parked, before a position among the events.
  func waker(of node: Int, before position: Int) -> Int? {
    guard let wakes = wakes[node] else { return nil }
    // Binary search for the first one that came later.
    var low = 0
    var high = wakes.count
    while low < high {
      let middle = (low + high) / 2
      if wakes[middle].position < position { low = middle + 1 } else { high = middle }
    }
    guard low > 0, let leaf = lastLeaf[wakes[low - 1].from],
      table.nodes[leaf].finishPosition < wakes[low - 1].position
    else { return nil }
    return leaf
  }

  /// Of what recorded edges lead here from, the leaf that finished last before the start.
  private func binding(of node: Int) -> HandOver? {
    var best: HandOver?
    forEachSource(of: node) { edge, leaf in
      let position = table.nodes[leaf].finishPosition
      if let known = best, table.nodes[known.from].finishPosition >= position { return }
      best = HandOver(from: leaf, to: node, reason: HandOver.Reason(edge.kind))
    }
    return best
  }

  /// The edges that led to a node's start, each with the leaf in its source that finished last.
  func forEachSource(of node: Int, _ body: (SpanTable.Edge, Int) -> Void) {
    guard let started = table.nodes[node].started else { return }
    incoming.forEach(to: node) { edge in
      guard let leaf = lastLeaf[edge.from], let finished = table.nodes[leaf].finished,
        finished <= started, leaf != node
      else { return }
      body(edge, leaf)
    }
  }

  /// The last leaf to finish while the step waited for its turn.
  private func finisher(before node: Int) -> Int? {
    let waiting = table.nodes[node]
    guard let started = waiting.started, started > waiting.submitted else { return nil }
    // Binary search for the first one that finished after the start.
    var low = 0
    var high = finishers.count
    while low < high {
      let middle = (low + high) / 2
      if table.nodes[finishers[middle]].finishPosition < waiting.startPosition {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low > 0 else { return nil }
    let finisher = finishers[low - 1]
    guard let finished = table.nodes[finisher].finished, finished >= waiting.submitted else {
      return nil
    }
    return finisher
  }

  private static func lastLeaves(_ table: SpanTable) -> [Int?] {
    let nodes = table.nodes
    var result: [Int?] = Array(repeating: nil, count: nodes.count)
    var latest = result
    // Parts come after their pattern, so that backwards every pattern finds its parts done.
    for index in nodes.indices.reversed() {
      if nodes[index].isLeaf { latest[index] = nodes[index].duration == nil ? nil : index }
      result[index] = latest[index]
      guard let leaf = latest[index], let parent = nodes[index].parent else { continue }
      // Stragglers finish after their pattern and cannot be what others waited for.
      guard nodes[leaf].finishPosition <= nodes[parent].finishPosition else { continue }
      if let known = latest[parent], nodes[known].finishPosition >= nodes[leaf].finishPosition {
        continue
      }
      latest[parent] = leaf
    }
    return result
  }
}

extension SpanTable.Node {
  var duration: Int64? {
    guard let started, let finished else { return nil }
    return finished.subtractingClamped(started)
  }
}

/// The edges of a table, found by where they lead to.
private struct IncomingEdges {
  /// The last edge to each node, and for each edge the one before it to the same node.
  private var last: [Int32]
  private var previous: [Int32] = []
  private let edges: [SpanTable.Edge]

  init(_ edges: [SpanTable.Edge], nodeCount: Int) {
    last = Array(repeating: -1, count: nodeCount)
    self.edges = edges
    previous.reserveCapacity(edges.count)
    for (index, edge) in edges.enumerated() {
      previous.append(last[edge.to])
      last[edge.to] = Int32(index)
    }
  }

  func hasAny(_ node: Int) -> Bool { last[node] >= 0 }

  func forEach(to node: Int, _ body: (SpanTable.Edge) -> Void) {
    var index = last[node]
    while index >= 0 {
      body(edges[Int(index)])
      index = previous[Int(index)]
    }
  }
}
