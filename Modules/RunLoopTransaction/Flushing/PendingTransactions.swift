import AsyncPatterns

/// The transactions that wait: each once, in the order of first commits, the higher priority first.
///
/// Pure state: it calls nobody's code, and what it lets go of it hands out, so that nobody's `deinit`
/// runs under the lock that guards it.
struct PendingTransactions {
  /// By priority.
  private var high = TransactionLine()
  private var normal = TransactionLine()
  private var low = TransactionLine()
  private var table = TransactionTable()
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// What has become of a commit.
  struct Outcome {
    /// Whether no equal one was waiting.
    var isNew: Bool
    /// What is to be let go of outside of the lock.
    var replaced: ActionBody?
    var superseded: CommitLineage?
  }

  /// Takes in a transaction, or makes it one with its equal.
  ///
  /// - Complexity: O(1), averaged over many.
  mutating func commit(_ new: consuming PendingTransaction) -> Outcome {
    if let place = place(of: new.hash, ObjectIdentifier(new.target), new.action) {
      return merge(new, into: place)
    }
    append(new)
    return Outcome(isNew: true)
  }

  private mutating func merge(_ new: PendingTransaction, into place: UInt32) -> Outcome {
    var outcome = Outcome(isNew: false)
    let isRaised = update(place) { entry in
      entry.commits += new.commits
      if let withdrawn = new.withdrawn {
        entry.withdrawn = (entry.withdrawn ?? []).union(withdrawn)
      }
      if entry.action !== new.action {
        outcome.replaced = entry.action
        entry.action = new.action
      }
      if let lineage = entry.lineage, lineage.depth > new.lineage?.depth ?? 0 {
        outcome.superseded = lineage
        entry.lineage = new.lineage
      }
      return new.priority > entry.priority
    }
    if isRaised, var entry = remove(place) {
      // To the end of those that go before it.
      entry.priority = new.priority
      append(entry)
    }
    return outcome
  }

  /// Takes out the first.
  mutating func popFirst() -> PendingTransaction? {
    if count == 0 { return nil }
    let first = high.popFirst() ?? normal.popFirst() ?? low.popFirst()
    count -= 1
    if count == 0 { reset() }
    return first
  }

  /// What has become of the withdrawal of a commit.
  struct Withdrawal: Sendable {
    /// Whether the commit still stood.
    var stood: Bool
    /// The transaction, if none of its commits stands any longer; to be let go of outside of the lock.
    var removed: PendingTransaction?
  }

  /// Takes back a commit; nil if it is none of those in here.
  mutating func withdraw(
    _ number: UInt64, _ target: ObjectIdentifier, _ action: ActionBody
  ) -> Withdrawal? {
    let hash = PendingTransaction.hash(target, action)
    guard let place = place(of: hash, target, action) else { return nil }
    var stood = false
    let isLast: Bool? = update(place) { entry in
      guard entry.first <= number else { return nil }
      stood = entry.withdrawn?.contains(number) != true
      entry.withdrawn = (entry.withdrawn ?? []).union([number])
      return entry.withdrawn?.count == entry.commits
    }
    guard let isLast else { return nil }
    return Withdrawal(stood: stood, removed: isLast ? remove(place) : nil)
  }

  /// Takes in all of `other`, which came later.
  ///
  /// - Returns: how many were made one with an equal one, and what is to be let go of outside of the lock.
  mutating func absorb(_ other: inout PendingTransactions) -> (merged: Int, rest: [Outcome]) {
    var rest: [Outcome] = []
    while let entry = other.popFirst() {
      let outcome = commit(entry)
      if !outcome.isNew { rest.append(outcome) }
    }
    return (rest.count, rest)
  }

  // MARK: Places

  // Two bits of a place are the priority, the others the index in that line.

  private func place(
    of hash: UInt64, _ target: ObjectIdentifier, _ action: ActionBody
  ) -> UInt32? {
    table.first(hash) { place in
      let index = Int(place >> 2)
      switch place & 3 {
      case 0: return high[index]?.isOf(hash, target, action) ?? false
      case 1: return normal[index]?.isOf(hash, target, action) ?? false
      default: return low[index]?.isOf(hash, target, action) ?? false
      }
    }
  }

  private mutating func append(_ entry: consuming PendingTransaction) {
    if !table.hasRoom { makeRoom() }
    let hash = entry.hash
    table.insert(appendToLine(entry), hash)
    count += 1
  }

  private mutating func appendToLine(_ entry: consuming PendingTransaction) -> UInt32 {
    switch entry.priority {
    case .high: UInt32(high.append(entry)) << 2
    case .normal: UInt32(normal.append(entry)) << 2 | 1
    case .low: UInt32(low.append(entry)) << 2 | 2
    }
  }

  private mutating func update<Result>(
    _ place: UInt32, _ body: (inout PendingTransaction) -> Result
  ) -> Result {
    // A place that was found is that of one that is there.
    let index = Int(place >> 2)
    switch place & 3 {
    case 0: return body(&high[index]!)
    case 1: return body(&normal[index]!)
    default: return body(&low[index]!)
    }
  }

  private mutating func remove(_ place: UInt32) -> PendingTransaction? {
    count -= 1
    let index = Int(place >> 2)
    defer { if count == 0 { reset() } }
    switch place & 3 {
    case 0: return high.remove(index)
    case 1: return normal.remove(index)
    default: return low.remove(index)
    }
  }

  private mutating func reset() {
    high.reset()
    normal.reset()
    low.reset()
    table.removeAll()
  }

  /// Closes the gaps that those left who are gone, and grows if that is not enough.
  private mutating func makeRoom() {
    high.compact()
    normal.compact()
    low.compact()
    table.removeAll(makingRoomFor: count + 1)
    insert(high, 0)
    insert(normal, 1)
    insert(low, 2)
  }

  private mutating func insert(_ line: TransactionLine, _ bits: UInt32) {
    for (index, entry) in line.entries.enumerated() {
      if let entry { table.insert(UInt32(index) << 2 | bits, entry.hash) }
    }
  }
}
