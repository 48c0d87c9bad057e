/// How much of each resource is free, and which claims wait for some.
///
/// It only makes decisions. A claim that waits holds nothing. No operation takes a resource that a claim ahead of it
/// waits for, so no claim starves.
struct ResourceState: Sendable {
  /// An amount of a resource, which is identified by its number.
  struct Amount: Sendable, Hashable {
    let resource: Int
    let amount: Int
  }

  /// The claim of one group of a run's operations that all need the same amounts.
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
  /// In the order in which they are served.
  private(set) var claims: [Claim] = []

  init(limits: [Int]) { free = limits }

  /// Whether an operation can take what it needs: all of it is free, and no claim ahead of it waits for any of the same
  /// resources. Otherwise its claim is queued.
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

  /// - Returns: the other runs that may be able to continue because a claim was removed.
  mutating func take(_ needs: [Amount], _ run: any ResourceUser, _ group: Int)
    -> [any ResourceUser]
  {
    for need in needs { free[need.resource] -= need.amount }
    guard let place = claims.firstIndex(where: { $0.isOf(run, group) }) else { return [] }
    claims.remove(at: place)
    return users(waitingFor: needs, but: run)
  }

  /// - Returns: the other runs that wait for some of the resources.
  mutating func give(_ needs: [Amount], _ run: any ResourceUser) -> [any ResourceUser] {
    for need in needs { free[need.resource] += need.amount }
    return users(waitingFor: needs, but: run)
  }

  /// Removes claims of a run that cannot start anything for now, so that they do not block other runs.
  ///
  /// - Parameter isRemoved: whether the claim of a group is removed.
  /// - Returns: the other runs that may be able to continue because of this.
  mutating func removeClaims(
    _ run: any ResourceUser, where isRemoved: (Int) -> Bool = { _ in true }
  ) -> [any ResourceUser] {
    var needs: [Amount] = []
    claims.removeAll { claim in
      guard claim.run === run, isRemoved(claim.group) else { return false }
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

/// A run that takes resources of a pool. It is notified when resources that it waits for may be available.
protocol ResourceUser: AnyObject, Sendable {
  func lookForResources()
}

extension [ResourceState.Amount] {
  fileprivate func overlap(_ others: [ResourceState.Amount]) -> Bool {
    contains { own in others.contains { $0.resource == own.resource } }
  }
}
