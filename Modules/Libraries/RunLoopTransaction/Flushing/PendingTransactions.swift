import AsyncRuntime

/// The waiting transactions, each of them only once. Those with a higher priority come first. Those with the same
/// priority are in the order in which they got that priority.
///
/// It is pure state and calls no other code. It returns the objects that it releases, so that no `deinit` runs under
/// the lock that guards it.
struct PendingTransactions {
  /// One line for each priority.
  private var high = TransactionLine()
  private var normal = TransactionLine()
  private var low = TransactionLine()
  private var table = TransactionTable()
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The result of a commit.
  struct Outcome {
    /// Whether no equal transaction was waiting.
    var isNew: Bool
    /// The objects to release outside the lock.
    var replaced: (ActionBody, PendingTransaction.RareState?, PendingTransaction.RareState?)?
  }

  /// Adds a transaction, or merges it with an equal one.
  ///
  /// - Complexity: amortised O(1).
  @inline(__always)
  mutating func commit(
    _ target: any AnyObject & Sendable, _ action: ActionBody, number: UInt64,
    _ priority: Priority.Level, _ origin: CodeOrigin, _ site: CommitSite,
    _ lineage: CommitLineage?
  ) -> Outcome {
    let address = Unmanaged<AnyObject>.passUnretained(target).toOpaque()
    let hash = PendingTransaction.hash(address, action)
    let rareState = lineage.map { PendingTransaction.RareState(lineage: $0) }
    guard let place = place(of: hash, address, action) else {
      if !table.hasRoom { makeRoom() }
      let bits = UInt32(priority.rawValue)
      let index =
        switch priority {
        case .high:
          high.append(
            target, action, hash: hash, first: number, priority, origin, site, rareState)
        case .normal:
          normal.append(
            target, action, hash: hash, first: number, priority, origin, site, rareState)
        case .low:
          low.append(target, action, hash: hash, first: number, priority, origin, site, rareState)
        }
      table.insert(UInt32(index) << 2 | bits, hash)
      count += 1
      return Outcome(isNew: true)
    }
    // The usual case: normal priority, and the action that the transaction already has.
    if priority == .normal, place & 3 == 1,
      normal.countCommit(Int(place >> 2), of: action, origin, site)
    {
      return Outcome(isNew: false)
    }
    return merge(
      PendingTransaction(
        target, action, hash: hash, first: number, commits: 1, priority: priority, origin: origin,
        site: site, rareState: rareState), into: place)
  }

  private mutating func commit(_ new: PendingTransaction) -> Outcome {
    let address = Unmanaged<AnyObject>.passUnretained(new.target).toOpaque()
    if let place = place(of: new.hash, address, new.action) { return merge(new, into: place) }
    append(new)
    return Outcome(isNew: true)
  }

  private mutating func merge(_ new: PendingTransaction, into place: UInt32) -> Outcome {
    var outcome = Outcome(isNew: false)
    let isRaised = update(place) { entry in
      outcome.replaced = (entry.action, entry.rareState, new.rareState)
      entry.commits += new.commits
      (entry.action, entry.origin, entry.site) = (new.action, new.origin, new.site)
      entry.merge(new.rareState)
      return new.priority > entry.priority
    }
    if isRaised, var entry = remove(place) {
      // The transaction goes to the end of the line with the higher priority.
      entry.priority = new.priority
      append(entry)
    }
    return outcome
  }

  /// Removes and returns the first transaction.
  mutating func popFirst() -> PendingTransaction? {
    if count == 0 { return nil }
    let first = high.popFirst() ?? normal.popFirst() ?? low.popFirst()
    count -= 1
    if count == 0 { reset() }
    return first
  }

  /// The result of cancelling a commit.
  struct CancelledCommit: Sendable {
    /// Whether the commit was still pending.
    var wasPending: Bool
    /// The transaction, if all of its commits are cancelled. Release it outside the lock.
    var removed: PendingTransaction?
  }

  /// Cancels a commit; returns nil if it is not one of the commits in here.
  ///
  /// - Complexity: amortised O(1).
  mutating func cancel(
    _ number: UInt64, _ target: ObjectIdentifier, _ action: ActionBody
  ) -> CancelledCommit? {
    guard let address = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: target)) else {
      return nil
    }
    let hash = PendingTransaction.hash(address, action)
    guard let place = place(of: hash, address, action) else { return nil }
    var wasPending = false
    let isLast: Bool? = update(place) { entry in
      guard entry.first <= number else { return nil }
      wasPending = entry.cancel(number)
      return entry.cancelled.count == entry.commits
    }
    guard let isLast else { return nil }
    return CancelledCommit(wasPending: wasPending, removed: isLast ? remove(place) : nil)
  }

  /// Counts the commits of a later transaction as cancelled commits of an equal transaction in here, if there is one.
  /// All commits of the later transaction were cancelled.
  mutating func noteCancelled(_ gone: PendingTransaction) {
    let address = Unmanaged<AnyObject>.passUnretained(gone.target).toOpaque()
    guard let place = place(of: gone.hash, address, gone.action) else { return }
    update(place) { entry in
      guard entry.first < gone.first else { return }
      entry.commits += gone.commits
      for number in gone.cancelled { _ = entry.cancel(number) }
    }
  }

  /// Adds all transactions of `other`, which came later.
  ///
  /// - Returns: how many were merged with an equal one, and the objects to release outside the lock.
  mutating func absorb(_ other: inout PendingTransactions) -> (merged: Int, rest: [Outcome]) {
    var rest: [Outcome] = []
    while let entry = other.popFirst() {
      let outcome = commit(entry)
      if !outcome.isNew { rest.append(outcome) }
    }
    return (rest.count, rest)
  }

  // MARK: Places

  // The two low bits of a place are the priority. The other bits are the index in the line of that priority.

  @inline(__always)
  private func place(of hash: UInt64, _ target: UnsafeMutableRawPointer, _ action: ActionBody)
    -> UInt32?
  {
    if count == 0 { return nil }
    return table.first(hash) { place in
      let index = Int(place >> 2)
      switch place & 3 {
      case 0: return low.isOf(index, target, action)
      case 1: return normal.isOf(index, target, action)
      default: return high.isOf(index, target, action)
      }
    }
  }

  private mutating func append(_ entry: PendingTransaction) {
    if !table.hasRoom { makeRoom() }
    let hash = entry.hash
    table.insert(appendToLine(entry), hash)
    count += 1
  }

  private mutating func appendToLine(_ entry: PendingTransaction) -> UInt32 {
    switch entry.priority {
    case .low: UInt32(low.append(entry)) << 2
    case .normal: UInt32(normal.append(entry)) << 2 | 1
    case .high: UInt32(high.append(entry)) << 2 | 2
    }
  }

  private mutating func update<Result>(
    _ place: UInt32, _ body: (inout PendingTransaction) -> Result
  ) -> Result {
    let index = Int(place >> 2)
    switch place & 3 {
    case 0: return low.update(index, body)
    case 1: return normal.update(index, body)
    default: return high.update(index, body)
    }
  }

  private mutating func remove(_ place: UInt32) -> PendingTransaction? {
    count -= 1
    let index = Int(place >> 2)
    defer { if count == 0 { reset() } }
    switch place & 3 {
    case 0: return low.remove(index)
    case 1: return normal.remove(index)
    default: return high.remove(index)
    }
  }

  private mutating func reset() {
    high.reset()
    normal.reset()
    low.reset()
    table.removeAll()
  }

  /// Closes the gaps that removed transactions have left, and enlarges the table if that is not enough.
  private mutating func makeRoom() {
    high.compact()
    normal.compact()
    low.compact()
    table.removeAll(makingRoomFor: count + 1)
    insert(low, 0)
    insert(normal, 1)
    insert(high, 2)
  }

  private mutating func insert(_ line: TransactionLine, _ bits: UInt32) {
    for (index, hash) in line.hashes { table.insert(UInt32(index) << 2 | bits, hash) }
  }
}
