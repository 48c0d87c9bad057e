/// Transactions of one priority, in the order of their first commits.
struct TransactionLine {
  private(set) var entries: ContiguousArray<PendingTransaction?> = []
  /// Up to where all are gone.
  private var head = 0

  /// The index of the one that is put at the end.
  mutating func append(_ entry: consuming PendingTransaction) -> Int {
    entries.append(entry)
    return entries.count - 1
  }

  subscript(index: Int) -> PendingTransaction? {
    _read { yield entries[index] }
    _modify { yield &entries[index] }
  }

  /// Takes out the one at `index`.
  mutating func remove(_ index: Int) -> PendingTransaction? {
    var taken: PendingTransaction?
    swap(&taken, &entries[index])
    return taken
  }

  /// Takes out the first.
  ///
  /// - Complexity: O(1), averaged over all that were put in.
  mutating func popFirst() -> PendingTransaction? {
    while head < entries.count {
      head += 1
      if let taken = remove(head - 1) { return taken }
    }
    return nil
  }

  /// Closes the gaps, which changes the indices.
  mutating func compact() {
    entries.removeAll { $0 == nil }
    head = 0
  }

  /// Forgets the places of those that are gone; nothing may be left.
  mutating func reset() {
    // Nearly always all of one turn's, whose room the next turn takes.
    entries.removeAll(keepingCapacity: true)
    head = 0
  }
}
