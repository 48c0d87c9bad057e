/// How much of each resource is free, and who waits for some.
///
/// It decides and does nothing else. Whoever waits holds nothing; and nobody takes what somebody before
/// him waits for, so that nobody is passed by for ever.
struct ResourceState: Sendable {
  /// So much of a resource, by its number.
  struct Amount: Sendable, Hashable {
    let resource: Int
    let amount: Int
  }

  /// One of a run's groups of operations that want the same.
  struct Claim: Sendable {
    let run: any ResourceUser
    let group: Int
    let rank: Rank
    let needs: [Amount]

    fileprivate func isOf(_ run: any ResourceUser, _ group: Int) -> Bool {
      self.run === run && self.group == group
    }
  }

  private(set) var free: [Int]
  /// The first to be served first.
  private(set) var claims: [Claim] = []

  init(limits: [Int]) { free = limits }

  /// Takes what an operation needs, if all of that is there and nobody waits for some of it who is
  /// before it; otherwise it waits.
  ///
  /// - Complexity: O(claims × needs)
  mutating func canTake(_ claim: Claim) -> Bool {
    let isFree = claim.needs.allSatisfy { free[$0.resource] >= $0.amount }
    let isNext = claims.allSatisfy {
      $0.isOf(claim.run, claim.group) || claim.rank < $0.rank || !$0.needs.overlap(claim.needs)
    }
    guard !(isFree && isNext) else { return true }
    if let place = claims.firstIndex(where: { $0.isOf(claim.run, claim.group) }) {
      if claims[place].rank == claim.rank { return false }
      claims.remove(at: place)
    }
    claims.insert(claim, at: claims.firstIndex { claim.rank < $0.rank } ?? claims.count)
    return false
  }

  /// - Returns: whom it may concern that a claim has gone.
  mutating func take(_ needs: [Amount], _ run: any ResourceUser, _ group: Int)
    -> [any ResourceUser]
  {
    for need in needs { free[need.resource] -= need.amount }
    guard let place = claims.firstIndex(where: { $0.isOf(run, group) }) else { return [] }
    claims.remove(at: place)
    return users(waitingFor: needs, but: run)
  }

  /// - Returns: who waits for some of it.
  mutating func give(_ needs: [Amount], _ run: any ResourceUser) -> [any ResourceUser] {
    for need in needs { free[need.resource] += need.amount }
    return users(waitingFor: needs, but: run)
  }

  /// A run cannot start anything for now: it is in nobody's way.
  ///
  /// - Parameter isKept: which of its groups wait on.
  /// - Returns: whom that may concern.
  mutating func withdraw(
    _ run: any ResourceUser, where isWithdrawn: (Int) -> Bool = { _ in true }
  ) -> [any ResourceUser] {
    var needs: [Amount] = []
    claims.removeAll { claim in
      guard claim.run === run, isWithdrawn(claim.group) else { return false }
      needs += claim.needs
      return true
    }
    return needs.isEmpty ? [] : users(waitingFor: needs, but: run)
  }

  private func users(
    waitingFor needs: [Amount], but run: any ResourceUser
  ) -> [any ResourceUser] {
    var users: [any ResourceUser] = []
    for claim in claims
    where claim.run !== run && claim.needs.overlap(needs)
      && !users.contains(where: { $0 === claim.run })
    {
      users.append(claim.run)
    }
    return users
  }
}

/// Who takes resources of a pool: told when what it waits for may be there.
protocol ResourceUser: AnyObject, Sendable {
  func lookForResources()
}

extension [ResourceState.Amount] {
  fileprivate func overlap(_ others: [ResourceState.Amount]) -> Bool {
    contains { own in others.contains { $0.resource == own.resource } }
  }
}
