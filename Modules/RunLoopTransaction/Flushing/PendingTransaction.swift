import AsyncPatterns

/// A transaction that waits to be performed.
struct PendingTransaction: Sendable {
  /// Held until it has been performed, or taken back.
  let target: any AnyObject & Sendable
  var action: ActionBody
  let hash: UInt64
  /// The number of its first commit: those of equal ones that come after it have higher numbers.
  let first: UInt64
  /// How many commits it stands for.
  var commits = 1
  var priority: TransactionPriority
  let span: Span
  let site: CommitSite
  /// The commits it is a consequence of, if actions made all of its commits.
  var lineage: CommitLineage?
  /// The commits that have been taken back; nearly always none.
  var withdrawn: Set<UInt64>?

  init(
    _ target: any AnyObject & Sendable, _ action: ActionBody, number: UInt64,
    priority: TransactionPriority, span: Span, site: CommitSite, lineage: CommitLineage?
  ) {
    self.target = target
    self.action = action
    self.priority = priority
    self.span = span
    self.site = site
    self.lineage = lineage
    first = number
    hash = Self.hash(ObjectIdentifier(target), action)
  }

  /// Of target and key. The key's has been mixed with the process's seed already.
  static func hash(_ target: ObjectIdentifier, _ action: ActionBody) -> UInt64 {
    let address = UInt64(UInt(bitPattern: target))
    let mixed = (address ^ UInt64(bitPattern: Int64(action.hash))) &* 0x9E37_79B9_7F4A_7C15
    return mixed ^ (mixed >> 32)
  }

  func isOf(_ hash: UInt64, _ target: ObjectIdentifier, _ action: ActionBody) -> Bool {
    self.hash == hash && ObjectIdentifier(self.target) == target && self.action.isSame(as: action)
  }
}
