public import AsyncRuntime

/// Performs transactions at the end of the turns of a run loop: each one once, however often it was committed.
///
/// ```swift
/// let queue = TransactionQueue("layout", on: loop)
/// Transaction(label, action: .layout).commit(to: queue)
/// Transaction(label, action: .layout).commit(to: queue)
/// // at the end of the turn the label is laid out, once
/// ```
///
/// Guarantees:
///
/// - Transactions can be committed on any thread. They are performed on the loop when it is about to wait or exits,
///   after all actions with a lower order.
/// - Each transaction is performed once. Those with a higher priority come first. Those with the same priority are
///   performed in the order of their first commits. A transaction whose priority rises goes behind those that already
///   have that priority.
/// - The target of a transaction is retained until the transaction has been performed or cancelled, and no longer.
/// - A transaction that is committed during a flush is performed in the next turn, for which the loop is woken.
/// - The loop is woken when the first transaction is committed to an empty queue, and by no other commit.
/// - No closure is called under a lock.
/// - Committed transactions are performed even if the queue has been released.
///
/// If an action commits a transaction whose action commits another one, and so on, the loop can
/// never wait. When such a chain exceeds `cycleLimit`, its next commit is refused and reported as
/// `commit-cycle`. The report names the types of the targets, the keys, and the places of the
/// commits. A chain that passes through another job or a timer is not detected.
/// The `trace` of the runtime records which commit woke the loop, as a mark `woken` of the span that made the commit.
/// It also records such chains. Transactions are spans only under the pattern `transaction`, which records them.
public final class TransactionQueue: Sendable {
  /// The default order. It comes after Core Animation, whose transactions have the order 2 000 000.
  public static let defaultOrder = 0xFF_FFFF

  /// The queue of the main lane's run loop on the live runtime. `commit()` uses it by default.
  public static let main = TransactionQueue("main")

  @usableFromInline let storage: TransactionStorage

  /// Makes a queue that may use any amount of time in a turn.
  ///
  /// - Parameters:
  ///   - label: the name of the queue in reports.
  ///   - loop: performs the transactions at the end of its turns; nil for the loop of the main lane.
  ///   - order: the position among all actions at the end of a turn; lower ones come first.
  ///   - batchLimit: the maximum number of transactions that it performs in a turn, at least 1; nil for no limit. The
  ///     rest is performed in the next turn, for which the loop is woken.
  ///   - cycleLimit: the maximum length of a chain of commits, each made by the action of the one before it; nil for no
  ///     limit.
  ///   - onFlush: called on the loop with the metrics of each flush. For `cycleLimit`, the commits that it makes count
  ///     as commits of the transaction that was performed last.
  public init(
    _ label: String = "transactions", on loop: (any RunLoopScheduler)? = nil,
    order: Int = defaultOrder, batchLimit: Int? = nil, cycleLimit: Int? = 1_000,
    runtime: any Runtime = LiveRuntime.shared,
    onFlush: (@Sendable (FlushMetrics) -> Void)? = nil
  ) {
    storage = TransactionStorage(
      label, on: loop ?? runtime.main,
      .init(
        batchLimit: batchLimit.map { max($0, 1) }, cycleLimit: cycleLimit, budget: nil,
        onFlush: onFlush), runtime: runtime)
    storage.beginWatching(order: order)
  }

  /// Makes a queue that shares its time in a turn with other queues on the same loop.
  ///
  /// - Parameter budget: provides the loop and the runtime of the queue. The time that ``flushNow()`` takes is also
  ///   subtracted from the budget.
  public init(
    _ label: String = "transactions", sharing budget: TurnBudget, order: Int = defaultOrder,
    batchLimit: Int? = nil, cycleLimit: Int? = 1_000,
    onFlush: (@Sendable (FlushMetrics) -> Void)? = nil
  ) {
    storage = TransactionStorage(
      label, on: budget.loop,
      .init(
        batchLimit: batchLimit.map { max($0, 1) }, cycleLimit: cycleLimit, budget: budget,
        onFlush: onFlush), runtime: budget.runtime)
    storage.beginWatching(order: order)
  }

  deinit { storage.abandon() }

  /// The number of waiting transactions.
  public var count: Int { storage.count }

  /// The total metrics of the queue so far.
  public var metrics: TransactionMetrics { storage.metrics }

  /// The metrics of each flush that ends from now on, in order.
  ///
  /// Each access makes another sequence, for one consumer. The buffer of a sequence has no limit, so that a slow
  /// consumer misses no flush. A sequence does not retain the queue. It ends when the queue has been released and
  /// nothing is waiting. No lock is held while metrics are delivered.
  ///
  /// - Complexity: O(1). From then on each flush costs O(*n*) for *n* sequences.
  public var flushes: AsyncStream<FlushMetrics> { storage.flushes.events() }

  /// The `cycleLimit`, if the queue would now refuse a commit by the calling thread; nil if it would accept one.
  public var refusingLimit: Int? { storage.refusingLimit }

  /// Performs all waiting transactions, whatever the limits: immediately if the caller is on the loop, otherwise as the
  /// next job of the loop.
  ///
  /// During a flush of this queue it does nothing: transactions that are committed during a flush are performed in the
  /// next turn.
  ///
  /// - Returns: the metrics of the flush; nil if there was none, or if it is yet to come.
  @discardableResult
  public func flushNow() -> FlushMetrics? {
    guard storage.loop.isCurrent else {
      storage.loop.schedule { [storage] in _ = storage.flushNow() }
      return nil
    }
    return storage.flushNow()
  }
}
