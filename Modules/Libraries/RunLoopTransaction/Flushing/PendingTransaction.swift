import AsyncRuntime

/// A transaction that waits to be performed.
struct PendingTransaction: Sendable {
  /// Retained until the transaction has been performed or cancelled.
  let target: any AnyObject & Sendable
  var action: ActionBody
  let hash: UInt64
  /// The number of its first commit. The equal commits that follow have higher numbers.
  let first: UInt64
  /// The number of commits that it stands for.
  var commits: Int
  var priority: Priority.Level
  /// The span and the site of the commit that set the action.
  var origin: CodeOrigin
  var site: CommitSite
  /// State that few transactions have; nil for all others.
  var rareState: RareState?

  /// State that few transactions have. Each object belongs to only one transaction.
  final class RareState: @unchecked Sendable {
    // Safe to share: changed only under the lock of the queue in which the transaction waits.

    /// The chain of commits that led to the transaction, if actions made all of its commits.
    let lineage: CommitLineage?
    /// The numbers of the commits that have been cancelled.
    fileprivate(set) var cancelled: Set<UInt64>

    init(lineage: CommitLineage?, cancelled: Set<UInt64> = []) {
      self.lineage = lineage
      self.cancelled = cancelled
    }
  }

  init(
    _ target: any AnyObject & Sendable, _ action: ActionBody, hash: UInt64, first: UInt64,
    commits: Int, priority: Priority.Level, origin: CodeOrigin, site: CommitSite,
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
  var cancelled: Set<UInt64> { rareState?.cancelled ?? [] }

  /// Records that a commit has been cancelled.
  ///
  /// - Returns: false if it had already been cancelled.
  /// - Complexity: amortised O(1).
  mutating func cancel(_ number: UInt64) -> Bool {
    let rareState = rareState ?? RareState(lineage: nil)
    self.rareState = rareState
    return rareState.cancelled.insert(number).inserted
  }

  /// Merges the state of a later commit, or of a later transaction with all its commits.
  mutating func merge(_ later: RareState?) {
    // The merged transaction counts as a consequence of the shorter chain.
    let isShorter = lineage?.depth ?? 0 > later?.lineage?.depth ?? 0
    if isShorter {
      let cancelled = self.cancelled
      let lineage = later?.lineage
      rareState =
        lineage == nil && cancelled.isEmpty
        ? nil : RareState(lineage: lineage, cancelled: cancelled)
    }
    guard let more = later?.cancelled, !more.isEmpty else { return }
    let rareState = rareState ?? RareState(lineage: nil)
    self.rareState = rareState
    rareState.cancelled.formUnion(more)
  }

  /// Combines the address of a target and the hash of a key. That hash already includes the random seed of the process.
  @inline(__always)
  static func hash(_ target: UnsafeMutableRawPointer, _ action: ActionBody) -> UInt64 {
    let address = UInt64(UInt(bitPattern: target))
    let mixed = (address ^ UInt64(bitPattern: Int64(action.hash))) &* 0x9E37_79B9_7F4A_7C15
    return mixed ^ (mixed >> 32)
  }
}
