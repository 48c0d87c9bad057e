internal import AsyncPatterns

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
  let holders: LaneHolders
  let nesting: Nesting
  /// The leaf that each node ended with.
  let lastLeaves: LastLeaves
  /// Leaves, and what timers ended, in the order in which they finished, without what others called off.
  private var finishers: [Int] = []
  /// For each node whose end others brought about, or kept from its lane, who did.
  private(set) var ends: [Int: Cause] = [:]
  /// For how long their ends waited for who held their lanes.
  private(set) var endSlacks: [Int: Int64] = [:]
  /// When nodes were asked for that timers then ended in time.
  private var requests: [Int: Request] = [:]

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
    for index in table.nodes.indices where isCutInTime(index) {
      requests[index] = recordedRequest(of: index)
    }
    for (node, cause) in ends { endSlacks[node] = slack(ofEnd: node, after: cause) }
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

  /// When a node was asked for that a timer then ended in time, which was set there, whenever the node got its worker.
  /// Nil for any other, and where nothing tells when that was.
  ///
  /// - Complexity: O(1).
  func request(of node: Int) -> Request? { requests[node] }

  /// Everything that had to end before a node started.
  ///
  /// - Complexity: as with `last(of:)`.
  func all(of node: Int) -> [Cause] {
    let permissions = permissions(of: node)
    let holder = holder(before: node, after: latest(permissions))
    return ended(permissions, before: node) + (holder.map { [$0] } ?? [])
  }

  /// Everything that had to end before a node could have started, had a worker been there.
  ///
  /// - Complexity: as with `last(of:)`.
  func allPermissions(of node: Int) -> [Cause] { ended(permissions(of: node), before: node) }

  // MARK: What lets a node start

  /// Whether a timer of its pattern ended a node that was not late. That was set when the node was asked for: its end
  /// does not depend on when it got its lane.
  private func isCutInTime(_ index: Int) -> Bool {
    let node = table.nodes[index]
    guard node.isEndedByTimer, node.outcome == .cancelled else { return false }
    if node.goesOn { return node.cut?.wait == nil }
    guard let wait = node.endWait else { return true }
    // What it is to do at last may have waited behind its own parts only.
    return nesting.isPart(table.laneWaits.all[wait].node, of: index) && ends[index] == nil
  }

  private func recordedRequest(of node: Int) -> Request? {
    if incoming.hasAny(node) {
      let (permissions, isWhole) = recorded(of: node)
      return isWhole ? latest(permissions).map(Request.after) : nil
    }
    let start = table.nodes[node].startPosition
    guard let pattern = table.nodes[node].parent,
      wakes.last(of: pattern, beforeStartAt: start) == nil
    else { return nil }
    return .withPattern
  }

  private func permissions(of node: Int) -> [Cause] {
    incoming.hasAny(node) ? recorded(of: node).causes : concluded(of: node).map { [$0] } ?? []
  }

  /// What edges tell, and whether it is just what they lead from: what has no leaf to tell of is left out, and what was
  /// called off before it had started stands for what it came after.
  private func recorded(of node: Int) -> (causes: [Cause], isWhole: Bool) {
    var causes: [Cause] = []
    var isWhole = true
    incoming.forEach(to: node) { edge in
      guard let (source, leaf) = source(edge.from, before: node), leaf != node else {
        isWhole = false
        return
      }
      if source != edge.from { isWhole = false }
      // Its pattern may have come to the end before it.
      let end = min(table.nodes[source].finishPosition, table.nodes[node].startPosition)
      let isOutlasting = table.nodes[leaf].finishPosition > end
      let isCut = table.nodes[leaf].cut != nil && (leaf == source || isOutlasting)
      causes.append(
        Cause(
          kind: .init(EdgeRecord.Kind(edge.kind)), leaf: leaf, source: source,
          waiter: table.waiter(at: edge), isCut: isCut))
    }
    return (causes, isWhole)
  }

  /// What an edge leads from; where that was called off before it had started, what it came after itself.
  private func source(_ from: Int, before waiting: Int) -> (node: Int, leaf: Int)? {
    var node: Int? = from
    for _ in 0..<Self.furthest {
      guard let source = node else { return nil }
      if let leaf = lastLeaf(of: source, before: waiting) { return (source, leaf) }
      guard table.nodes[source].outcome == .cancelled else { return nil }
      node = incoming.last(to: source)
    }
    return nil
  }

  /// What a node ended with before then, or was cut off in.
  private func lastLeaf(of source: Int, before waiting: Int) -> Int? {
    let start = table.nodes[waiting].startPosition
    if let cut = table.nodes[source].cut, cut.position < start { return source }
    guard let leaf = lastLeaves.all[source], let finished = table.nodes[leaf].finished else {
      return nil
    }
    let isBefore = finished <= table.nodes[waiting].started ?? .max
    return isBefore || table.nodes[leaf].endPosition < start ? leaf : nil
  }

  /// How many that were cut off or called off one after another are looked through.
  static let furthest = 64

  /// What no edge tells.
  private func concluded(of node: Int) -> Cause? {
    let start = table.nodes[node].startPosition
    let wake = table.nodes[node].parent.flatMap { wakes.last(of: $0, beforeStartAt: start) }
    return wake.flatMap(cause) ?? queue(before: node)
  }

  /// Those that had ended before a node started, or else the last one.
  private func ended(_ permissions: [Cause], before node: Int) -> [Cause] {
    let start = table.nodes[node].startPosition
    let before = permissions.filter { $0.isCut || table.nodes[$0.source].stopPosition < start }
    return before.isEmpty ? latest(permissions).map { [$0] } ?? [] : before
  }

  /// The one whose end came last.
  private func latest(_ causes: [Cause]) -> Cause? {
    causes.max { table.endPosition(of: $0) < table.endPosition(of: $1) }
  }

  /// Who ended and woke what a wake tells of.
  func cause(_ wake: Wakes.Wake) -> Cause? {
    let edge = wake.edge
    guard let leaf = lastLeaves.all[edge.from], table.nodes[leaf].stopPosition < edge.position
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
      table.nodes[$0].stopPosition >= waiting.startPosition
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
    let end = permission.flatMap(table.end) ?? .min
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
    if let ender = holders.park(before: left).flatMap({ ender(of: $0, before: turn) }),
      ender.leaf != permission?.leaf, ender.leaf != turn.node
    {
      return ender
    }
    return leaf.map { Cause(kind: .queue, leaf: $0, source: $0, waiter: turn.node) }
  }

  /// Who woke a pattern that stood parked; or, if that was a job of its own, who held the lane of that.
  private func ender(
    of park: BlockedLanes.Interval, before turn: LaneHolders.Turn
  ) -> Cause? {
    guard let parked = park.node else { return nil }
    let waker = wakes.wake(of: parked, at: park.to).flatMap(cause)
    // One that had ended before then has only led to such a job.
    if let waker, let end = table.end(of: waker), end > park.from { return waker }
    let limit = latency.limit(beside: park.length)
    guard
      let wait = table.laneWaits.last(of: parked, butOn: park.lane, over: park.to, limit: limit)
    else { return waker }
    let due = LaneHolders.Turn(
      node: parked, lane: wait.lane, time: wait.to, position: wait.position, ready: wait.from)
    return holders.last(before: due).map {
      Cause(kind: .queue, leaf: $0, source: $0, waiter: turn.node)
    } ?? waker
  }
}
