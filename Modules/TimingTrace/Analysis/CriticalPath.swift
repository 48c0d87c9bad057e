internal import AsyncPatterns

/// The chain of leaf steps that a run's makespan is made of.
///
/// From the last finisher it walks back, each time to what the step had to wait for: of the
/// predecessors that recorded edges name, the one that finished last before the start; without edges,
/// where the step did wait, the last leaf to finish while it waited. Where a step waited for nothing
/// itself, its pattern may have. A pattern that stood parked goes on, and starts what it then starts, because of
/// who gave it the permit that it took last, also where it had to park no more for it; and so with a step that
/// stood parked itself.
struct CriticalPath {
  private let table: SpanTable
  /// The edges by the node they lead to.
  private let incoming: IncomingEdges
  private let wakes: Wakes
  /// For each node, the leaf in it that finished last, of those that finished no later than it.
  private let lastLeaf: [Int?]
  /// Leaves in the order in which they finished.
  private let finishers: [Int]

  init(_ table: SpanTable) {
    self.table = table
    incoming = IncomingEdges(
      table.edges.filter { $0.kind != .woke || table.leadsToStart($0) },
      nodeCount: table.nodes.count)
    wakes = Wakes(table)
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
    while let previous = predecessor(of: current), visited.insert(previous).inserted {
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
      guard let end = table.nodes[other].finished, finished.subtractingClamped(end) <= duration / 50
      else { break }
      if table.nodes[other].outcome != .cancelled { return other }
    }
    return last
  }

  private func predecessor(of leaf: Int) -> Int? { cause(of: leaf)?.leaf }

  /// What a leaf had to wait for last: itself, or a pattern that it is a part of.
  ///
  /// - Complexity: O(log n) for each pattern around it.
  func cause(of leaf: Int) -> Cause? {
    let wake = wakes.last(of: leaf, before: table.nodes[leaf].finishPosition)
    if let waker = wake.flatMap(cause), waker.leaf != leaf { return waker }
    var node: Int? = leaf
    while let current = node {
      if let cause = startCause(of: current) { return cause }
      node = table.nodes[current].parent
    }
    return nil
  }

  /// What a node itself had to wait for last before it could start.
  ///
  /// - Complexity: O(log n) in the number of leaves, O(n) in that of the edges that lead to it.
  func startCause(of node: Int) -> Cause? {
    if let binding = binding(of: node) { return binding }
    guard !incoming.hasAny(node) else { return nil }
    let start = table.nodes[node].startPosition
    let wake = table.nodes[node].parent.flatMap { wakes.last(of: $0, before: start) }
    return wake.flatMap(cause) ?? finisher(before: node)
  }

  private func cause(_ wake: Wakes.Wake) -> Cause? {
    let edge = wake.edge
    guard let leaf = lastLeaf[edge.from], table.nodes[leaf].finishPosition < edge.position else {
      return nil
    }
    return Cause(
      kind: wake.wasParked ? .woke : .permit, leaf: leaf, source: edge.from, waiter: edge.to)
  }

  /// Of what recorded edges lead here from, the leaf that finished last before the start.
  private func binding(of node: Int) -> Cause? {
    guard let started = table.nodes[node].started else { return nil }
    var best: Cause?
    incoming.forEach(to: node) { edge in
      guard let leaf = lastLeaf[edge.from], let finished = table.nodes[leaf].finished,
        finished <= started, leaf != node
      else { return }
      if let known = best,
        table.nodes[known.leaf].finishPosition >= table.nodes[leaf].finishPosition
      {
        return
      }
      best = Cause(
        kind: .init(EdgeRecord.Kind(edge.kind)), leaf: leaf, source: edge.from,
        waiter: table.waiter(at: edge))
    }
    return best
  }

  /// The last leaf to finish while the step waited for its turn.
  private func finisher(before node: Int) -> Cause? {
    let waiting = table.nodes[node]
    guard let started = waiting.started, started > waiting.submitted else { return nil }
    let count = finishers.firstIndexBeyond {
      table.nodes[$0].finishPosition >= waiting.startPosition
    }
    guard count > 0 else { return nil }
    let finisher = finishers[count - 1]
    guard let finished = table.nodes[finisher].finished, finished >= waiting.submitted else {
      return nil
    }
    return Cause(kind: .queue, leaf: finisher, source: finisher, waiter: node)
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

/// Why a node could go on when it did: whose end that was.
struct Cause {
  let kind: HandOver.Kind
  /// The leaf that ended last of what was waited for.
  let leaf: Int
  /// What was waited for: that leaf, or a pattern that holds it.
  let source: Int
  /// What waited: the node itself, or a pattern that it is a part of.
  let waiter: Int
}

extension SpanTable.Node {
  var duration: Int64? {
    guard let started, let finished else { return nil }
    return finished.subtractingClamped(started)
  }
}

/// The edges of a table, found by where they lead to.
struct IncomingEdges {
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
