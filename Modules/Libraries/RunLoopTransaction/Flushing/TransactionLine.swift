import AsyncRuntime

/// Transactions of one priority, in the order of their first commits.
///
/// They are kept as records that the compiler counts no references of: a commit goes through several, and
/// holds two objects. Who lets go of a line has to take out what is in it.
struct TransactionLine {
  private struct Record {
    /// Held; nil once the transaction is gone, and nothing of it is held any longer.
    var target: Unmanaged<AnyObject>?
    /// Held.
    var action: Unmanaged<ActionBody>
    let hash: UInt64
    let first: UInt64
    /// Held.
    var rareState: Unmanaged<PendingTransaction.RareState>?
    var site: CommitSite
    var commits: Int
    var origin: CodeOrigin
    let priority: TransactionPriority
  }

  private var records: ContiguousArray<Record> = []
  /// Up to where all are gone.
  private var head = 0

  /// The index of the one that is put at the end.
  @inline(__always)
  mutating func append(
    _ target: any AnyObject & Sendable, _ action: ActionBody, hash: UInt64, first: UInt64,
    commits: Int = 1, _ priority: TransactionPriority, _ origin: CodeOrigin, _ site: CommitSite,
    _ rareState: PendingTransaction.RareState?
  ) -> Int {
    records.append(
      Record(
        target: .passRetained(target), action: .passRetained(action), hash: hash, first: first,
        rareState: rareState.map(Unmanaged.passRetained), site: site, commits: commits,
        origin: origin,
        priority: priority))
    return records.count - 1
  }

  mutating func append(_ entry: PendingTransaction) -> Int {
    append(
      entry.target, entry.action, hash: entry.hash, first: entry.first, commits: entry.commits,
      entry.priority, entry.origin, entry.site, entry.rareState)
  }

  /// Whether the one at `index` is there, and of that target and key.
  @inline(__always)
  func isOf(_ index: Int, _ target: UnsafeMutableRawPointer, _ action: ActionBody) -> Bool {
    records.withUnsafeBufferPointer { records in
      guard records[index].target?.toOpaque() == target else { return false }
      return records[index].action._withUnsafeGuaranteedRef { $0.isSame(as: action) }
    }
  }

  /// Takes in another commit of the one at `index`, if that has the same action and nothing rare.
  @inline(__always)
  mutating func countCommit(
    _ index: Int, of action: ActionBody, _ origin: CodeOrigin, _ site: CommitSite
  ) -> Bool {
    records.withUnsafeMutableBufferPointer { records in
      guard records[index].rareState == nil,
        records[index].action.toOpaque() == Unmanaged.passUnretained(action).toOpaque()
      else { return false }
      records[index].commits += 1
      records[index].origin = origin
      records[index].site = site
      return true
    }
  }

  /// Changes the one at `index`, which is there.
  mutating func update<Result>(
    _ index: Int, _ body: (inout PendingTransaction) -> Result
  ) -> Result {
    guard var entry = remove(index) else { preconditionFailure("a place that was found is taken") }
    let result = body(&entry)
    // At the end, from where it is moved to its own place.
    _ = append(entry)
    records[index] = records.removeLast()
    return result
  }

  /// Takes out the one at `index`.
  mutating func remove(_ index: Int) -> PendingTransaction? {
    let record = records[index]
    guard let target = record.target else { return nil }
    records[index].target = nil
    // It was held as such.
    let object = unsafeBitCast(target.takeRetainedValue(), to: (any AnyObject & Sendable).self)
    return PendingTransaction(
      object, record.action.takeRetainedValue(), hash: record.hash, first: record.first,
      commits: record.commits, priority: record.priority, origin: record.origin, site: record.site,
      rareState: record.rareState?.takeRetainedValue())
  }

  /// Takes out the first.
  ///
  /// - Complexity: O(1), averaged over all that were put in.
  mutating func popFirst() -> PendingTransaction? {
    while head < records.count {
      head += 1
      if let taken = remove(head - 1) { return taken }
    }
    return nil
  }

  /// Closes the gaps, which changes the indices.
  mutating func compact() {
    records.removeAll { $0.target == nil }
    head = 0
  }

  /// Forgets the places of those that are gone; nothing may be left.
  mutating func reset() {
    // Nearly always all of one turn's, whose room the next turn takes.
    records.removeAll(keepingCapacity: true)
    head = 0
  }

  /// The hashes of all, with their indices. There may be no gaps.
  var hashes: [(index: Int, hash: UInt64)] {
    records.enumerated().map { ($0, $1.hash) }
  }
}
