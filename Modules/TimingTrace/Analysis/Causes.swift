internal import AsyncPatterns

/// Why a node could go on when it did: whose end that was.
struct Cause {
  let kind: HandOver.Kind
  /// What of the node had to wait.
  var before = HandOver.Moment.start
  /// The leaf that ended last of what was waited for.
  let leaf: Int
  /// What was waited for: that leaf, or a pattern that holds it.
  let source: Int
  /// What waited: the node itself, or a pattern that it is a part of.
  let waiter: Int
}

/// What nodes had to wait for before they started, and before they ended.
///
/// Of a start, first whatever lets a node start: the ends that recorded edges lead from. Where nothing is recorded and its
/// pattern stood parked, who gave the pattern the permit that it took last; otherwise, where the node did wait, the last
/// leaf to finish while it waited. Then a worker: the leaf that held the node's lane, or who woke what stood parked there,
/// if that was for longer. Of an end, a lane only, and who called the node off: the rest is the node's own.
struct Causes {
  let table: SpanTable
  let latency: Latency
  /// The edges that lead to starts.
  private let incoming: IncomingEdges
  private let wakes: Wakes
  private let holders: LaneHolders
  let nesting: Nesting
  /// The leaf that each node ended with.
  let lastLeaves: LastLeaves
  /// Leaves, and what timers ended, in the order in which they finished, without what others called off.
  private var finishers: [Int] = []
  /// For each node whose end others brought about, or kept from its lane, who did.
  private(set) var ends: [Int: Cause] = [:]

  /// - Parameter finishers: leaves, and what timers ended, in the order in which they finished.
  init(_ table: SpanTable, _ wakes: Wakes, finishers: [Int], _ latency: Latency) {
    self.table = table
    self.wakes = wakes
    self.latency = latency
    incoming = IncomingEdges(
      table.edges.filter(table.leadsToStart), nodeCount: table.nodes.count)
    holders = LaneHolders(table, finishers: finishers, latency)
    nesting = Nesting(table)
    lastLeaves = LastLeaves(table, holders, latency)
    ends = causesOfEnds()
    self.finishers = finishers.filter { ends[$0]?.kind != .resolvedBy }
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
    var causes = permissions.filter { table.nodes[$0.source].endPosition < start }
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
      guard let source = source(edge.from, before: started), let leaf = lastLeaves.all[source],
        leaf != node
      else { return }
      causes.append(
        Cause(
          kind: .init(EdgeRecord.Kind(edge.kind)), leaf: leaf, source: source,
          waiter: table.waiter(at: edge)))
    }
    return causes
  }

  /// What an edge leads from; where a timer has cut that off, and it has never started or went on all the same, what it
  /// came after itself.
  private func source(_ from: Int, before started: Int64) -> Int? {
    var node: Int? = from
    for _ in 0..<Self.furthest {
      guard let source = node else { return nil }
      let leaf = lastLeaves.all[source].map { table.nodes[$0] }
      if let leaf, let finished = leaf.finished, finished <= started || leaf.leave != nil {
        return source
      }
      guard table.nodes[source].outcome == .cancelled else { return nil }
      node = incoming.last(to: source)
    }
    return nil
  }

  /// How many that were cut off one after another are looked through.
  private static let furthest = 64

  /// What no edge tells.
  private func concluded(of node: Int) -> Cause? {
    let start = table.nodes[node].startPosition
    let wake = table.nodes[node].parent.flatMap { wakes.last(of: $0, beforeStartAt: start) }
    return wake.flatMap(cause) ?? queue(before: node)
  }

  /// The one whose end came last.
  private func latest(_ causes: [Cause]) -> Cause? {
    causes.max { table.nodes[$0.leaf].endPosition < table.nodes[$1.leaf].endPosition }
  }

  /// Who ended and woke what a wake tells of.
  func cause(_ wake: Wakes.Wake) -> Cause? {
    let edge = wake.edge
    guard let leaf = lastLeaves.all[edge.from], table.nodes[leaf].endPosition < edge.position
    else {
      return nil
    }
    return Cause(
      kind: wake.wasParked ? .woke : .permit, leaf: leaf, source: edge.from, waiter: edge.to)
  }

  /// Who finished last while the step waited for its turn: of several at that time, who had its lane.
  private func queue(before node: Int) -> Cause? {
    let waiting = table.nodes[node]
    guard let lane = waiting.startLane, let started = waiting.started, started > waiting.submitted
    else { return nil }
    let count = finishers.firstIndexBeyond {
      table.nodes[$0].endPosition >= waiting.startPosition
    }
    let turn = LaneHolders.Turn(
      node: node, lane: lane, time: started, position: waiting.startPosition,
      ready: waiting.submitted)
    let finisher = count > 0 ? finishers[count - 1] : nil
    let user = holders.lastUser(before: turn)
    let ends = [finisher, user].map { $0.flatMap { table.nodes[$0].finished } ?? .min }
    let duration = user.flatMap { table.nodes[$0].duration } ?? 0
    let isByUser = ends[0].subtractingClamped(ends[1]) <= latency.limit(beside: duration)
    guard let leaf = isByUser ? user : finisher, max(ends[0], ends[1]) >= waiting.submitted else {
      return nil
    }
    return Cause(kind: .queue, leaf: leaf, source: leaf, waiter: node)
  }

  // MARK: A worker

  /// Who held the lane of a node when all else that it waited for had ended.
  private func holder(before node: Int, after permission: Cause?) -> Cause? {
    let waiting = table.nodes[node]
    guard let lane = waiting.startLane, let started = waiting.started else { return nil }
    let end = permission.flatMap { table.nodes[$0.leaf].finished } ?? .min
    let wait = startWait(of: node)
    let turn = LaneHolders.Turn(
      node: node, lane: lane, time: started, position: waiting.startPosition,
      ready: max(end, wait?.to ?? waiting.submitted))
    if let holder = holder(before: turn, after: permission) { return holder }
    guard let wait else { return nil }
    let due = LaneHolders.Turn(
      node: node, lane: wait.lane, time: wait.to, position: wait.position,
      ready: max(end, wait.from))
    return holder(before: due, after: permission)
  }

  /// How what submitted or started a node then had to wait for its lane first.
  private func startWait(of node: Int) -> LaneWaits.Wait? {
    guard let wait = table.startWait(of: node), let started = table.nodes[node].started else {
      return nil
    }
    let follows = [started, table.nodes[node].submitted].contains { time in
      let gap = time.subtractingClamped(wait.to)
      return gap >= 0 && gap <= latency.limit(beside: wait.length)
    }
    return follows ? wait : nil
  }

  func holder(before turn: LaneHolders.Turn, after permission: Cause?) -> Cause? {
    let leaf = holders.last(before: turn)
    var left = turn
    left.ready = leaf.flatMap { table.nodes[$0].finished } ?? turn.ready
    if let park = holders.park(before: left), let parked = park.node,
      let waker = wakes.wake(of: parked, at: park.to).flatMap(cause),
      waker.leaf != permission?.leaf,
      waker.leaf != turn.node
    {
      return waker
    }
    return leaf.map { Cause(kind: .queue, leaf: $0, source: $0, waiter: turn.node) }
  }
}
