import AsyncRuntime

/// The waiting transactions of a queue and the progress of its flush. The state only makes
/// decisions. Its caller acts on them after it has released the lock.
struct TransactionState {
  /// The committed transactions that wait for the next flush.
  private var pending = PendingTransactions()
  /// The transactions that the current flush has yet to perform.
  private var flushing = PendingTransactions()
  private var isFlushing = false
  /// Whether the queue has been released, so that only the loop still references its storage.
  private var isAbandoned = false
  private var lastNumber: UInt64 = 0
  private(set) var metrics = TransactionMetrics()
  /// The metrics at the end of the previous flush.
  private var reported = TransactionMetrics()
  private var depth = 0

  /// The number of waiting transactions.
  var count: Int { pending.count + flushing.count }

  /// The result of a commit: the actions to perform outside the lock.
  struct Committed {
    var number: UInt64
    /// Whether to wake the loop.
    var wakes: Bool
    /// The objects to release.
    var rest: PendingTransactions.Outcome
  }

  @inline(__always)
  mutating func commit(
    _ target: any AnyObject & Sendable, _ action: ActionBody, _ priority: Priority.Level,
    _ origin: CodeOrigin, _ site: CommitSite, _ lineage: CommitLineage?
  ) -> Committed {
    lastNumber += 1
    let wasEmpty = pending.isEmpty
    let outcome = pending.commit(
      target, action, number: lastNumber, priority, origin, site, lineage)
    metrics.committed += 1
    if !outcome.isNew { metrics.coalesced += 1 }
    // The end of a flush wakes the loop for transactions that were committed during the flush.
    return Committed(number: lastNumber, wakes: wasEmpty && !isFlushing, rest: outcome)
  }

  mutating func refuse() { metrics.refused += 1 }

  mutating func cancel(
    _ number: UInt64, _ target: ObjectIdentifier, _ action: ActionBody
  ) -> (cancelled: PendingTransactions.CancelledCommit?, isFinished: Bool) {
    // A transaction that waits for the next turn was committed after an equal one that waits in this flush. So
    // `pending` is searched first; it returns nil if the commit is older than its transaction.
    let cancelled =
      pending.cancel(number, target, action) ?? flushing.cancel(number, target, action)
    // If a commit of the later transaction is cancelled again, that must not cancel a commit of the earlier one.
    if isFlushing, let removed = cancelled?.removed { flushing.noteCancelled(removed) }
    if cancelled?.removed != nil { metrics.cancelled += 1 }
    return (cancelled, isFinished)
  }

  /// Notes that the queue has been released. From now on only actions commit transactions.
  ///
  /// - Returns: whether nothing is left to do.
  mutating func abandon() -> Bool {
    isAbandoned = true
    return isFinished
  }

  private var isFinished: Bool { isAbandoned && !isFlushing && pending.isEmpty }

  /// Removes a transaction that can never be performed.
  mutating func removeNext() -> PendingTransaction? { flushing.popFirst() ?? pending.popFirst() }

  // MARK: Flushing

  /// Starts a flush; returns false if there is nothing to perform or a flush is running.
  mutating func beginFlush() -> Bool {
    guard !isFlushing, !pending.isEmpty else { return false }
    isFlushing = true
    swap(&pending, &flushing)
    depth = 0
    return true
  }

  /// Removes and returns the next transaction to perform.
  mutating func next() -> PendingTransaction? {
    guard let next = flushing.popFirst() else { return nil }
    metrics.performed += 1
    depth = max(depth, next.lineage?.depth ?? 0)
    return next
  }

  /// The result of a flush: the actions to perform outside the lock.
  struct Flushed {
    var metrics: FlushMetrics
    /// Whether to wake the loop for another turn.
    var wakes: Bool
    /// Whether nothing is left and the queue has been released.
    var isFinished: Bool
    /// The objects to release.
    var rest: [PendingTransactions.Outcome]
  }

  mutating func endFlush(from start: Instant, to end: Instant) -> Flushed {
    isFlushing = false
    let leftOver = flushing.count
    var rest: [PendingTransactions.Outcome] = []
    if leftOver > 0 {
      // The transactions that are left come before those that were committed in the meantime.
      let absorbed = flushing.absorb(&pending)
      metrics.coalesced += absorbed.merged
      rest = absorbed.rest
      swap(&pending, &flushing)
    }
    let duration = start.duration(to: end)
    metrics.flushes += 1
    metrics.longest = max(metrics.longest, duration)
    metrics.depth = max(metrics.depth, depth)
    let flush = FlushMetrics(
      flush: metrics.flushes, start: start, duration: duration,
      committed: metrics.committed - reported.committed,
      coalesced: metrics.coalesced - reported.coalesced,
      cancelled: metrics.cancelled - reported.cancelled,
      performed: metrics.performed - reported.performed, leftOver: leftOver, depth: depth)
    reported = metrics
    return Flushed(metrics: flush, wakes: !pending.isEmpty, isFinished: isFinished, rest: rest)
  }
}
