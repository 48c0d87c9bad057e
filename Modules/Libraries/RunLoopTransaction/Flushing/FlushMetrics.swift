public import AsyncRuntime

/// The metrics of one flush of a queue.
public struct FlushMetrics: Sendable, Hashable {
  /// The number of the flush in its queue, from 1. If there is nothing to perform, there is no flush.
  public var flush: Int
  /// When the flush started.
  public var start: Instant
  /// How long the flush took, including all that the actions did.
  public var duration: Duration
  /// The number of commits since the previous flush ended, including those made during this flush.
  public var committed: Int
  /// The number of those commits that were merged into an equal transaction that was waiting.
  public var coalesced: Int
  /// The number of transactions that were removed since the previous flush, because all of their commits were
  /// cancelled.
  public var cancelled: Int
  /// The number of transactions that were performed.
  public var performed: Int
  /// The number of transactions that were left for the next turn, because the time or the batch limit was used up.
  public var leftOver: Int
  /// The length of the longest chain of commits that ended in this flush. Each commit of a chain is made by the action
  /// of the one before it. 0 if actions made none of the commits.
  public var depth: Int

  /// Creates the metrics of an invented flush, to test code that receives metrics.
  public init(
    flush: Int, start: Instant, duration: Duration = .zero, committed: Int = 0, coalesced: Int = 0,
    cancelled: Int = 0, performed: Int = 0, leftOver: Int = 0, depth: Int = 0
  ) {
    self.flush = flush
    self.start = start
    self.duration = duration
    self.committed = committed
    self.coalesced = coalesced
    self.cancelled = cancelled
    self.performed = performed
    self.leftOver = leftOver
    self.depth = depth
  }
}

/// The total metrics of a queue so far.
///
/// `committed` = `coalesced` + `cancelled` + `performed` + the number of waiting transactions.
public struct TransactionMetrics: Sendable, Hashable {
  /// The number of flushes that performed something.
  public var flushes = 0
  /// The number of commits that were not refused.
  public var committed = 0
  /// The number of those commits that were merged into an equal transaction that was waiting.
  public var coalesced = 0
  /// The number of transactions that were removed because all of their commits were cancelled.
  public var cancelled = 0
  /// The number of transactions that were performed.
  public var performed = 0
  /// The number of commits that exceeded the cycle limit. They do not count in the other metrics.
  public var refused = 0
  /// The duration of the longest flush.
  public var longest = Duration.zero
  /// The length of the longest chain of commits, each made by the action of the one before it.
  public var depth = 0

  /// Creates the metrics of a queue to which nothing was committed.
  public init() {}
}
