import PatternTesting

/// A simple model of the pending transactions of a queue: lists with a linear search.
struct TransactionModel {
  struct Entry: Equatable {
    let target: Int
    let key: Int
    var priority: Int
    /// The action of the last commit.
    var action: Int
    /// The line of the last commit.
    var line: UInt
    var commits: [UInt64]
    var cancelled: Set<UInt64> = []
  }

  /// The entries in the order in which they would be performed if all had the same priority.
  struct Entries {
    var all: [Entry] = []

    /// The entries with the higher priority first. The sort is stable.
    var inOrder: [Entry] {
      let places = all.enumerated().sorted {
        ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset)
      }
      return places.map(\.element)
    }

    /// - Returns: whether the entry is new.
    mutating func add(_ entry: Entry) -> Bool {
      guard let index = all.firstIndex(where: { $0.target == entry.target && $0.key == entry.key })
      else {
        all.append(entry)
        return true
      }
      var merged = all[index]
      merged.commits += entry.commits
      merged.cancelled.formUnion(entry.cancelled)
      (merged.action, merged.line) = (entry.action, entry.line)
      if entry.priority > merged.priority {
        // Moves it behind the entries that already have this priority.
        merged.priority = entry.priority
        all.remove(at: index)
        all.append(merged)
      } else {
        all[index] = merged
      }
      return false
    }

    mutating func removeFirst() -> Entry? {
      guard let first = inOrder.first else { return nil }
      all.removeAll { $0 == first }
      return first
    }

    /// - Returns: nil if no entry has this commit. Otherwise, whether the commit was pending and whether its entry was
    ///   removed.
    mutating func cancel(_ number: UInt64) -> (wasPending: Bool, isGone: Bool)? {
      guard let index = all.firstIndex(where: { $0.commits.contains(number) }) else { return nil }
      let wasPending = all[index].cancelled.insert(number).inserted
      let isGone = all[index].cancelled.count == all[index].commits.count
      if isGone { all.remove(at: index) }
      return (wasPending, isGone)
    }
  }

  var pending = Entries()
  var flushing = Entries()
  var committed = 0
  var coalesced = 0
  var cancelled = 0
  var performed = 0

  mutating func commit(_ entry: Entry) {
    committed += 1
    if !pending.add(entry) { coalesced += 1 }
  }

  mutating func cancel(_ number: UInt64) -> Bool {
    let result = pending.cancel(number) ?? flushing.cancel(number)
    if result?.isGone == true { cancelled += 1 }
    return result?.wasPending ?? false
  }

  mutating func beginFlush() -> Bool {
    if pending.all.isEmpty { return false }
    swap(&pending, &flushing)
    return true
  }

  mutating func next() -> Entry? {
    guard let next = flushing.removeFirst() else { return nil }
    performed += 1
    return next
  }

  mutating func endFlush() {
    // Transactions that are left over come first.
    for entry in pending.inOrder where !flushing.add(entry) { coalesced += 1 }
    pending = flushing
    flushing = Entries()
  }
}
