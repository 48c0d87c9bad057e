import AsyncRuntime

/// Transactions of one priority, in the order in which they got that priority.
///
/// They are stored as records without automatic reference counting, since a commit reads several records and each
/// retains two or three objects. The owner must remove all transactions before it releases the line.
struct TransactionLine {
  private struct Record {
    /// Retained; nil once the transaction has been removed. The record then retains nothing.
    var target: Unmanaged<AnyObject>?
    /// Retained.
    var action: Unmanaged<ActionBody>
    let hash: UInt64
    let first: UInt64
    /// Retained.
    var rareState: Unmanaged<PendingTransaction.RareState>?
    var site: CommitSite
    var commits: Int
    var origin: CodeOrigin
    let priority: Priority.Level
  }

  private var records: ContiguousArray<Record> = []
  /// All records before this index have been removed.
  private var head = 0

  /// - Returns: the index of the appended transaction.
  @inline(__always)
  mutating func append(
    _ target: any AnyObject & Sendable, _ action: ActionBody, hash: UInt64, first: UInt64,
    commits: Int = 1, _ priority: Priority.Level, _ origin: CodeOrigin, _ site: CommitSite,
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

  /// Whether the transaction at `index` is still there and has that target and key.
  @inline(__always)
  func isOf(_ index: Int, _ target: UnsafeMutableRawPointer, _ action: ActionBody) -> Bool {
    records.withUnsafeBufferPointer { records in
      guard records[index].target?.toOpaque() == target else { return false }
      return records[index].action._withUnsafeGuaranteedRef { $0.isSame(as: action) }
    }
  }

  /// Counts another commit of the transaction at `index`, if the transaction has this action and no rare state.
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

  /// Changes the transaction at `index`, which must be there.
  mutating func update<Result>(
    _ index: Int, _ body: (inout PendingTransaction) -> Result
  ) -> Result {
    guard var entry = remove(index) else {
      preconditionFailure("The transaction at this place was removed: look its place up again")
    }
    let result = body(&entry)
    // The changed transaction is appended at the end, and its record is then moved from there to `index`.
    _ = append(entry)
    records[index] = records.removeLast()
    return result
  }

  /// Removes the transaction at `index`.
  mutating func remove(_ index: Int) -> PendingTransaction? {
    let record = records[index]
    guard let target = record.target else { return nil }
    records[index].target = nil
    // It was stored as this type.
    let object = unsafeBitCast(target.takeRetainedValue(), to: (any AnyObject & Sendable).self)
    return PendingTransaction(
      object, record.action.takeRetainedValue(), hash: record.hash, first: record.first,
      commits: record.commits, priority: record.priority, origin: record.origin, site: record.site,
      rareState: record.rareState?.takeRetainedValue())
  }

  /// Removes and returns the first transaction.
  ///
  /// - Complexity: amortised O(1) over all transactions that were added.
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

  /// Removes the records of removed transactions. All transactions must have been removed before.
  mutating func reset() {
    // These are nearly always the records of one turn. The next turn reuses their memory.
    records.removeAll(keepingCapacity: true)
    head = 0
  }

  /// The hashes of all transactions, with their indices. There must be no gaps.
  var hashes: [(index: Int, hash: UInt64)] {
    records.enumerated().map { ($0, $1.hash) }
  }
}
