internal import AsyncPatterns

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

/// What nodes had to wait for before they started.
///
/// First whatever lets a node start: the ends that recorded edges lead from. Where nothing is recorded and its pattern
/// stood parked, who gave the pattern the permit that it took last; otherwise, where the node did wait, the last leaf to
/// finish while it waited. Then a worker: the leaf that held the node's lane, or who woke what stood parked there, if
/// that was for longer.
struct StartCauses {
  private let table: SpanTable
  /// The edges that lead to starts.
  private let incoming: IncomingEdges
  private let wakes: Wakes
  private let holders: LaneHolders
  /// For each node, the leaf that it ended with: the one that resolved it, or else the one in it that finished last,
  /// of those that finished no later than it.
  private let lastLeaf: [Int?]
  /// Leaves in the order in which they finished.
  private let finishers: [Int]

  init(_ table: SpanTable, _ wakes: Wakes, finishers: [Int]) {
    self.table = table
    self.wakes = wakes
    self.finishers = finishers
    incoming = IncomingEdges(
      table.edges.filter(table.leadsToStart), nodeCount: table.nodes.count)
    holders = LaneHolders(table, finishers: finishers)
    lastLeaf = StartCauses.lastLeaves(table)
  }

  /// What a node had to wait for last before it started.
  ///
  /// - Complexity: O(log n) in the number of leaves, O(n) in that of the edges that lead to it.
  func last(of node: Int) -> Cause? {
    guard table.nodes[node].started != nil else { return nil }
    let permission = permission(of: node)
    return holder(before: node, after: permission) ?? permission
  }

  /// What a node had to wait for last before it could have started, had a worker been there.
  ///
  /// - Complexity: as with `last(of:)`.
  func permission(of node: Int) -> Cause? { latest(permissions(of: node)) }

  /// Everything that had to end before a node started.
  ///
  /// - Complexity: as with `last(of:)`.
  func all(of node: Int) -> [Cause] {
    let permissions = permissions(of: node)
    let latest = latest(permissions)
    let start = table.nodes[node].startPosition
    var causes = permissions.filter { table.nodes[$0.source].finishPosition < start }
    if causes.isEmpty, let latest { causes = [latest] }
    if let holder = holder(before: node, after: latest) { causes.append(holder) }
    return causes
  }

  // MARK: What lets a node start

  private func permissions(of node: Int) -> [Cause] {
    let started = table.nodes[node].started ?? .max
    guard incoming.hasAny(node) else { return concluded(of: node).map { [$0] } ?? [] }
    var causes: [Cause] = []
    incoming.forEach(to: node) { edge in
      guard let leaf = lastLeaf[edge.from], let finished = table.nodes[leaf].finished,
        finished <= started, leaf != node
      else { return }
      causes.append(
        Cause(
          kind: .init(EdgeRecord.Kind(edge.kind)), leaf: leaf, source: edge.from,
          waiter: table.waiter(at: edge)))
    }
    return causes
  }

  /// What no edge tells.
  private func concluded(of node: Int) -> Cause? {
    let start = table.nodes[node].startPosition
    let wake = table.nodes[node].parent.flatMap { wakes.last(of: $0, beforeStartAt: start) }
    return wake.flatMap(cause) ?? finisher(before: node)
  }

  /// The one whose end came last.
  private func latest(_ causes: [Cause]) -> Cause? {
    causes.max { table.nodes[$0.leaf].finishPosition < table.nodes[$1.leaf].finishPosition }
  }

  /// Who ended and woke what a wake tells of.
  func cause(_ wake: Wakes.Wake) -> Cause? {
    let edge = wake.edge
    guard let leaf = lastLeaf[edge.from], table.nodes[leaf].finishPosition < edge.position else {
      return nil
    }
    return Cause(
      kind: wake.wasParked ? .woke : .permit, leaf: leaf, source: edge.from, waiter: edge.to)
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

  // MARK: A worker

  /// Who held the lane of a node when all else that it waited for had ended.
  private func holder(before node: Int, after permission: Cause?) -> Cause? {
    let end = permission.flatMap { table.nodes[$0.leaf].finished }
    let ready = max(end ?? .min, table.nodes[node].submitted)
    let leaf = holders.last(before: node, readyAt: ready)
    let free = leaf.flatMap { table.nodes[$0].finished } ?? ready
    if let park = holders.park(before: node, readyAt: free), let parked = park.node,
      let waker = wakes.wake(of: parked, at: park.to).flatMap(cause), waker.leaf != permission?.leaf
    {
      return waker
    }
    return leaf.map { Cause(kind: .queue, leaf: $0, source: $0, waiter: node) }
  }

  /// Whose end called a leaf off: what resolved a pattern around it.
  ///
  /// - Complexity: O(d), d being how deep it is nested.
  func decider(of leaf: Int) -> Int? {
    var node = table.nodes[leaf].parent
    while let pattern = node {
      if let last = lastLeaf[pattern], last != leaf { return last }
      node = table.nodes[pattern].parent
    }
    return nil
  }

  // MARK: Parts

  private static func lastLeaves(_ table: SpanTable) -> [Int?] {
    let nodes = table.nodes
    var result: [Int?] = Array(repeating: nil, count: nodes.count)
    var latest = result
    var resolvers: [Int: Int] = [:]
    for edge in table.edges where edge.kind == .resolvedBy { resolvers[edge.to] = edge.from }
    // Parts come after their pattern, so that backwards every pattern finds its parts done.
    for index in nodes.indices.reversed() {
      if nodes[index].isLeaf { latest[index] = nodes[index].duration == nil ? nil : index }
      if let part = resolvers[index], let leaf = result[part] { latest[index] = leaf }
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
