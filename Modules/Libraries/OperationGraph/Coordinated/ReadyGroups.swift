internal import HeapModule

/// The ready operations of a run, grouped by the resources that they need.
struct ReadyGroups: Sendable {
  typealias Needs = [ResourceState.Amount]
  typealias Action = CoordinatedAction

  /// The needs of each group. The operations of the first group need nothing.
  private var needs: [Needs] = [[]]
  private var numbers: [Needs: Int] = [[]: 0]
  /// The ready operations of each group, the most urgent first.
  private var queues: [Heap<ReadyEntry>] = [[]]
  /// Whether a group waits for resources.
  private(set) var hasClaims = false
  /// The groups of operations that have ended and have not returned their resources yet.
  private var leaving: [Int] = []

  var needsResources: Bool { needs.count > 1 }

  /// The group of the operations with these needs.
  mutating func number(of needs: Needs) -> Int {
    if let number = numbers[needs] { return number }
    let number = queues.count
    numbers[needs] = number
    self.needs.append(needs)
    queues.append([])
    return number
  }

  mutating func push(_ entry: ReadyEntry, to group: Int) { queues[group].insert(entry) }

  /// Selects the most urgent operation whose resources are free, and claims resources for the operations before it.
  ///
  /// - Parameters:
  ///   - nodes: all operations; they show which entries are out of date.
  ///   - canStart: if false, all claims are cancelled.
  /// - Returns: the group of the operation.
  mutating func findNext(
    of nodes: [CoordinatedNode], canStart: Bool, _ pool: inout ResourceState?,
    _ run: any ResourceUser
  ) -> (group: Int?, actions: [Action]) {
    for group in queues.indices { removeStale(group, nodes) }
    guard canStart else { return (nil, removeClaims(&pool, run) { _ in true }) }
    guard needsResources else { return (queues[0].min == nil ? nil : 0, []) }
    let actions = removeClaims(&pool, run) { [queues] in queues[$0].min == nil }
    let heads = queues.indices.compactMap { group in queues[group].min.map { ($0.rank, group) } }
      .sorted { $0.0 < $1.0 }
    for (rank, group) in heads {
      guard group > 0, pool != nil else { return (group, actions) }
      let claim = ResourceState.Claim(run: run, group: group, rank: rank, needs: needs[group])
      if pool?.canTake(claim) == true { return (group, actions) }
      hasClaims = true
    }
    return (nil, actions)
  }

  /// Removes the first operation of a group, and takes the resources that it needs.
  mutating func popFirst(
    of group: Int, _ pool: inout ResourceState?, _ run: any ResourceUser
  ) -> (operation: Int32, actions: [Action])? {
    guard let first = queues[group].popMin() else { return nil }
    return (first.operation, look(group > 0 ? pool?.take(needs[group], run, group) : nil))
  }

  /// Notes that an operation of a group has ended. `giveBack` returns its resources.
  mutating func leave(_ group: Int) {
    if group > 0 { leaving.append(group) }
  }

  mutating func giveBack(_ pool: inout ResourceState?, _ run: any ResourceUser) -> [Action] {
    guard !leaving.isEmpty else { return [] }
    defer { leaving.removeAll(keepingCapacity: true) }
    return leaving.flatMap { look(pool?.give(needs[$0], run)) }
  }

  private mutating func removeClaims(
    _ pool: inout ResourceState?, _ run: any ResourceUser, where isRemoved: (Int) -> Bool
  ) -> [Action] {
    guard hasClaims else { return [] }
    let users = pool?.removeClaims(run, where: isRemoved)
    hasClaims = pool?.claims.contains { $0.run === run } ?? false
    return look(users)
  }

  private func look(_ users: [any ResourceUser]?) -> [Action] { users?.map { .look($0) } ?? [] }

  /// Removes operations that were cancelled, or whose rank has changed since they were pushed.
  private mutating func removeStale(_ group: Int, _ nodes: [CoordinatedNode]) {
    while let first = queues[group].min, !nodes[Int(first.operation)].isReady(first) {
      queues[group].removeMin()
    }
  }
}
