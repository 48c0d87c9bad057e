public import AsyncRuntime

/// What is to be done at the end of a run loop's turns: each transaction once, however often it was
/// committed.
///
/// ```swift
/// let queue = TransactionQueue("layout", on: loop)
/// Transaction(label, action: .layout).commit(to: queue)
/// Transaction(label, action: .layout).commit(to: queue)
/// // at the end of the turn the label is laid out, once
/// ```
///
/// Guaranteed:
///
/// - Transactions are committed from any thread, and performed on the loop, when it is about to wait or exits,
///   after everything with a lower order.
/// - Each is performed once, in the order of first commits; of those with a higher priority first. One whose
///   priority rises goes behind those that have the higher one by then.
/// - Its target is held until then, and no longer.
/// - What is committed during a flush is performed in the next turn, and the loop is woken for it.
/// - The loop is woken when the first transaction is committed to an empty queue, and by no other commit.
/// - No closure is called under a lock.
/// - What has been committed is performed, also if nobody holds the queue any longer.
///
/// An action that commits, an action of which commits, and so on, keeps the loop from ever waiting. A chain
/// of such commits that is longer than `cycleLimit` is refused its next one, and reported as `commit-cycle`,
/// with the targets' types, the keys and where they were committed. It does not notice a chain that goes
/// by way of another job, or of a timer.
///
/// The `trace` of its runtime is told which commit has woken the loop, as a mark `woken` of whoever made it, and of
/// such a chain; transactions are spans only under the pattern `transaction`, which tells of them.
public final class TransactionQueue: Sendable {
  /// After Core Animation, whose own transactions are at 2 000 000, and all that comes with it.
  public static let defaultOrder = 0xFF_FFFF

  /// The one of the main lane's run loop on the live runtime, which `commit()` takes.
  public static let main = TransactionQueue("main")

  @usableFromInline let storage: TransactionStorage

  /// A queue with no limit to the time it takes of a turn.
  ///
  /// - Parameters:
  ///   - label: what reports call it.
  ///   - loop: at the end of whose turns; that of the main lane if it is nil.
  ///   - order: where among all that is done at the end of a turn; the lower comes first.
  ///   - batchLimit: how many transactions it performs in a turn, at least 1; nil for all of them. What is
  ///     left goes on in the next turn, for which the loop is woken.
  ///   - cycleLimit: how long a chain of commits may be, each made by the action of the one before it;
  ///     nil for any length.
  ///   - onFlush: told what each flush came to, on the loop. What it commits counts for the `cycleLimit` as
  ///     committed by what was performed last.
  public init(
    _ label: String = "transactions", on loop: (any RunLoopScheduler)? = nil,
    order: Int = defaultOrder, batchLimit: Int? = nil, cycleLimit: Int? = 1_000,
    runtime: any Runtime = LiveRuntime.shared,
    onFlush: (@Sendable (FlushFigures) -> Void)? = nil
  ) {
    storage = TransactionStorage(
      label, on: loop ?? runtime.main,
      .init(
        batchLimit: batchLimit.map { max($0, 1) }, cycleLimit: cycleLimit, budget: nil,
        onFlush: onFlush), runtime: runtime)
    storage.beginWatching(order: order)
  }

  /// A queue that shares the time it takes of a turn with others on the same loop.
  ///
  /// - Parameter budget: whose loop and runtime are the queue's. What ``flushNow()`` takes is spent, too.
  public init(
    _ label: String = "transactions", sharing budget: TurnBudget, order: Int = defaultOrder,
    batchLimit: Int? = nil, cycleLimit: Int? = 1_000,
    onFlush: (@Sendable (FlushFigures) -> Void)? = nil
  ) {
    storage = TransactionStorage(
      label, on: budget.loop,
      .init(
        batchLimit: batchLimit.map { max($0, 1) }, cycleLimit: cycleLimit, budget: budget,
        onFlush: onFlush), runtime: budget.runtime)
    storage.beginWatching(order: order)
  }

  deinit { storage.abandon() }

  /// How many transactions wait.
  public var count: Int { storage.count }

  /// What all that was committed came to so far.
  public var figures: TransactionFigures { storage.figures }

  /// The `cycleLimit`, if it makes the queue refuse what the calling thread commits now; nil if the queue accepts it.
  public var refusingLimit: Int? { storage.refusingLimit }

  /// Performs all that waits, whatever the limits: at once if the caller is on the loop, else as the next
  /// job of the loop.
  ///
  /// From within a flush of this queue it does nothing: what is committed during a flush is for the next turn.
  ///
  /// - Returns: what the flush came to; nil if it was none, or is still to come.
  @discardableResult
  public func flushNow() -> FlushFigures? {
    guard storage.loop.isCurrent else {
      storage.loop.schedule { [storage] in _ = storage.flushNow() }
      return nil
    }
    return storage.flushNow()
  }
}
