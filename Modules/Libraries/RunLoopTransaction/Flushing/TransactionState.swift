import AsyncRuntime

/// What waits in a queue, and where its flush stands: it decides, and whoever asks acts, after the lock.
struct TransactionState {
  /// What is committed now lands here.
  private var pending = PendingTransactions()
  /// During a flush: what it has still to perform.
  private var flushing = PendingTransactions()
  private var isFlushing = false
  /// Whether nobody but the loop holds the queue any longer.
  private var isAbandoned = false
  private var lastNumber: UInt64 = 0
  private(set) var figures = TransactionFigures()
  /// The figures at the end of the flush before.
  private var reported = TransactionFigures()
  private var depth = 0

  /// How many wait.
  var count: Int { pending.count + flushing.count }

  /// What to do about a commit, outside of the lock.
  struct Committed {
    var number: UInt64
    /// Whether the loop is to be woken.
    var wakes: Bool
    /// What is to be let go of.
    var rest: PendingTransactions.Outcome
  }

  @inline(__always)
  mutating func commit(
    _ target: any AnyObject & Sendable, _ action: ActionBody, _ priority: TransactionPriority,
    _ origin: CodeOrigin, _ site: CommitSite, _ lineage: CommitLineage?
  ) -> Committed {
    lastNumber += 1
    let wasEmpty = pending.isEmpty
    let outcome = pending.commit(
      target, action, number: lastNumber, priority, origin, site, lineage)
    figures.committed += 1
    if !outcome.isNew { figures.coalesced += 1 }
    // The end of a flush wakes the loop for what was committed during it.
    return Committed(number: lastNumber, wakes: wasEmpty && !isFlushing, rest: outcome)
  }

  mutating func refuse() { figures.refused += 1 }

  mutating func withdraw(
    _ number: UInt64, _ target: ObjectIdentifier, _ action: ActionBody
  ) -> (withdrawal: PendingTransactions.Withdrawal?, isOver: Bool) {
    // What waits for the next turn has been committed after its equal that waits in this one.
    let withdrawal =
      pending.withdraw(number, target, action) ?? flushing.withdraw(number, target, action)
    // Taken back once more, those commits are not to be taken for some of the equal one that waits in this flush.
    if isFlushing, let removed = withdrawal?.removed { flushing.noteWithdrawn(removed) }
    if withdrawal?.removed != nil { figures.withdrawn += 1 }
    return (withdrawal, isOver)
  }

  /// Nobody commits anything any longer, but what actions do.
  ///
  /// - Returns: whether nothing is left to do.
  mutating func abandon() -> Bool {
    isAbandoned = true
    return isOver
  }

  private var isOver: Bool { isAbandoned && !isFlushing && pending.isEmpty }

  /// Takes out what nobody will ever perform.
  mutating func removeNext() -> PendingTransaction? { flushing.popFirst() ?? pending.popFirst() }

  // MARK: Flushing

  /// Begins a flush, if there is something to perform and none is under way.
  mutating func beginFlush() -> Bool {
    guard !isFlushing, !pending.isEmpty else { return false }
    isFlushing = true
    swap(&pending, &flushing)
    depth = 0
    return true
  }

  /// The next one to perform.
  mutating func next() -> PendingTransaction? {
    guard let next = flushing.popFirst() else { return nil }
    figures.performed += 1
    depth = max(depth, next.lineage?.depth ?? 0)
    return next
  }

  /// What to do at the end of a flush, outside of the lock.
  struct Flushed {
    var figures: FlushFigures
    /// Whether the loop is to be woken for another turn.
    var wakes: Bool
    /// Whether nothing is left, and nobody holds the queue.
    var isOver: Bool
    /// What is to be let go of.
    var rest: [PendingTransactions.Outcome]
  }

  mutating func endFlush(from start: Instant, to end: Instant) -> Flushed {
    isFlushing = false
    let leftOver = flushing.count
    var rest: [PendingTransactions.Outcome] = []
    if leftOver > 0 {
      // What is left goes before what has been committed meanwhile.
      let absorbed = flushing.absorb(&pending)
      figures.coalesced += absorbed.merged
      rest = absorbed.rest
      swap(&pending, &flushing)
    }
    let duration = start.duration(to: end)
    figures.flushes += 1
    figures.longest = max(figures.longest, duration)
    figures.depth = max(figures.depth, depth)
    let flush = FlushFigures(
      flush: figures.flushes, start: start, duration: duration,
      committed: figures.committed - reported.committed,
      coalesced: figures.coalesced - reported.coalesced,
      withdrawn: figures.withdrawn - reported.withdrawn,
      performed: figures.performed - reported.performed, leftOver: leftOver, depth: depth)
    reported = figures
    return Flushed(figures: flush, wakes: !pending.isEmpty, isOver: isOver, rest: rest)
  }
}
