/// The free amount of each resource, and the claims that wait for resources.
///
/// The state only makes decisions. A waiting claim holds nothing. No operation takes a resource for
/// which a claim ahead of it waits, so no claim starves.
struct ResourceState: Sendable {
  /// An amount of a resource. `resource` is the number of the resource.
  struct Amount: Sendable, Hashable {
    let resource: Int
    let amount: Int
  }

  /// A claim of one group of operations of a run. All operations of the group need the same
  /// amounts.
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
  /// The waiting claims, in the order in which they are served.
  private(set) var claims: [Claim] = []

  init(limits: [Int]) { free = limits }

  /// Whether an operation can take the amounts that it needs. All of them must be free, and no
  /// claim ahead of it may wait for any of the same resources. If it cannot, its claim is queued.
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

  /// - Returns: the other runs that may be able to continue, because a claim was removed.
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

  /// Removes claims of a run that cannot start anything for now, so that they do not block other
  /// runs.
  ///
  /// - Parameter isRemoved: returns whether to remove the claim of a group.
  /// - Returns: the other runs that may be able to continue, because claims were removed.
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

/// A run that takes resources of a pool. `lookForResources` is called when resources that it waits
/// for may be free.
protocol ResourceUser: AnyObject, Sendable {
  func lookForResources()
}

extension [ResourceState.Amount] {
  fileprivate func overlap(_ others: [ResourceState.Amount]) -> Bool {
    contains { own in others.contains { $0.resource == own.resource } }
  }
}
