import AsyncRuntime

/// A transaction that waits to be performed.
struct PendingTransaction: Sendable {
  /// Held until it has been performed, or taken back.
  let target: any AnyObject & Sendable
  var action: ActionBody
  let hash: UInt64
  /// The number of its first commit: those of equal ones that come after it have higher numbers.
  let first: UInt64
  /// How many commits it stands for.
  var commits: Int
  var priority: TransactionPriority
  /// Those of the commit that brought the action.
  var origin: CodeOrigin
  var site: CommitSite
  /// What few of them have.
  var rareState: RareState?

  /// What few transactions have. Each is one transaction's alone.
  final class RareState: @unchecked Sendable {
    // Safe to share: changed only under the lock of the queue in which the transaction waits.

    /// The commits it is a consequence of, if actions made all of its commits.
    let lineage: CommitLineage?
    /// The commits that have been taken back.
    fileprivate(set) var withdrawn: Set<UInt64>

    init(lineage: CommitLineage?, withdrawn: Set<UInt64> = []) {
      self.lineage = lineage
      self.withdrawn = withdrawn
    }
  }

  init(
    _ target: any AnyObject & Sendable, _ action: ActionBody, hash: UInt64, first: UInt64,
    commits: Int, priority: TransactionPriority, origin: CodeOrigin, site: CommitSite,
    rareState: RareState?
  ) {
    self.target = target
    self.action = action
    self.hash = hash
    self.first = first
    self.commits = commits
    self.priority = priority
    self.origin = origin
    self.site = site
    self.rareState = rareState
  }

  var lineage: CommitLineage? { rareState?.lineage }
  var withdrawn: Set<UInt64> { rareState?.withdrawn ?? [] }

  /// Notes that a commit has been taken back.
  ///
  /// - Returns: whether it stood until then.
  /// - Complexity: O(1), averaged over many.
  mutating func withdraw(_ number: UInt64) -> Bool {
    let rareState = rareState ?? RareState(lineage: nil)
    self.rareState = rareState
    return rareState.withdrawn.insert(number).inserted
  }

  /// Takes in what a later commit has, or one with all that was committed later.
  mutating func merge(_ later: RareState?) {
    // A consequence of the shorter chain.
    let isShorter = lineage?.depth ?? 0 > later?.lineage?.depth ?? 0
    if isShorter {
      let withdrawn = self.withdrawn
      let lineage = later?.lineage
      rareState =
        lineage == nil && withdrawn.isEmpty
        ? nil : RareState(lineage: lineage, withdrawn: withdrawn)
    }
    guard let more = later?.withdrawn, !more.isEmpty else { return }
    let rareState = rareState ?? RareState(lineage: nil)
    self.rareState = rareState
    rareState.withdrawn.formUnion(more)
  }

  /// Of the address of a target, and a key. The key's has been mixed with the process's seed already.
  @inline(__always)
  static func hash(_ target: UnsafeMutableRawPointer, _ action: ActionBody) -> UInt64 {
    let address = UInt64(UInt(bitPattern: target))
    let mixed = (address ^ UInt64(bitPattern: Int64(action.hash))) &* 0x9E37_79B9_7F4A_7C15
    return mixed ^ (mixed >> 32)
  }
}
