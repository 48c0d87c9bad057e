public import AsyncRuntime

/// What one flush of a queue came to.
public struct FlushFigures: Sendable, Hashable {
  /// Which of the queue's flushes it is, from 1; one with nothing to perform is none.
  public var flush: Int
  /// When it began.
  public var start: Instant
  /// How long it took, with all that the actions did.
  public var duration: Duration
  /// How many commits there were since the flush before it ended, those made while it ran included.
  public var committed: Int
  /// How many of those found an equal transaction waiting, and became one with it.
  public var coalesced: Int
  /// How many transactions have gone since the flush before it because all of their commits were taken back.
  public var withdrawn: Int
  /// How many were performed.
  public var performed: Int
  /// How many were left for the next turn for want of time, or beyond the limit of a batch.
  public var leftOver: Int
  /// The longest chain of commits, each made by the action of the one before it, that ended in this flush; 0
  /// where all of them came from elsewhere.
  public var depth: Int

  /// Those of a flush that never was, for tests of who is told of one.
  public init(
    flush: Int, start: Instant, duration: Duration = .zero, committed: Int = 0, coalesced: Int = 0,
    withdrawn: Int = 0, performed: Int = 0, leftOver: Int = 0, depth: Int = 0
  ) {
    self.flush = flush
    self.start = start
    self.duration = duration
    self.committed = committed
    self.coalesced = coalesced
    self.withdrawn = withdrawn
    self.performed = performed
    self.leftOver = leftOver
    self.depth = depth
  }
}

/// What all that was committed to a queue came to so far.
///
/// `committed` = `coalesced` + `withdrawn` + `performed` + those that wait.
public struct TransactionFigures: Sendable, Hashable {
  /// How often something was performed.
  public var flushes = 0
  /// How many commits there were that were not refused.
  public var committed = 0
  /// How many of those found an equal transaction waiting, and became one with it.
  public var coalesced = 0
  /// Transactions that went because all of their commits were taken back.
  public var withdrawn = 0
  /// How many transactions were performed.
  public var performed = 0
  /// Commits beyond the limit of a cycle, which do not count among the others.
  public var refused = 0
  /// How long the longest flush took.
  public var longest = Duration.zero
  /// The longest chain of commits, each made by the action of the one before it.
  public var depth = 0

  /// Those of a queue to which nothing was committed.
  public init() {}
}
