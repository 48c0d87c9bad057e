import AsyncRuntime

/// The time that all queues of a run loop together may use in each of its turns.
///
/// ```swift
/// let budget = TurnBudget(.milliseconds(4))
/// let layout = TransactionQueue("layout", sharing: budget, order: 1_000_000)
/// let drawing = TransactionQueue("drawing", sharing: budget, order: 2_000_000)
/// ```
///
/// When the time is used up, no queue starts another transaction. The remaining transactions are performed in the next
/// turn, in their order, and the loop is woken for it. A transaction that is running is never interrupted. Each queue
/// with waiting transactions performs at least one per turn, so that none of them starves. The time of
/// ``TransactionQueue/flushNow()`` during a turn counts as well, but that function performs all waiting transactions,
/// whatever time is left.
public final class TurnBudget: Sendable {
  /// The time that the queues may use in a turn.
  public let limit: Duration
  let loop: any RunLoopScheduler
  let runtime: any Runtime
  private let time = Locked(Duration.zero)
  private let reset: any Cancellable

  /// - Parameters:
  ///   - limit: if it is not above zero, each queue performs one transaction per turn.
  ///   - loop: the run loop with these turns; nil for the loop of the main lane.
  public init(
    _ limit: Duration, on loop: (any RunLoopScheduler)? = nil,
    runtime: any Runtime = LiveRuntime.shared
  ) {
    self.limit = limit
    self.runtime = runtime
    self.loop = loop ?? runtime.main
    // Reset after all other actions at the end of the turn, since their flushes still count for this turn.
    reset = self.loop.atEndOfTurn(order: .max) { [time] in time.withLock { $0 = .zero } }
  }

  deinit { reset.cancel() }

  /// The time that has been used in this turn.
  var spent: Duration { time.withLock { $0 } }

  /// The time that is left in this turn.
  var left: Duration { limit - spent }

  func spend(_ duration: Duration) { time.withLock { $0 += duration } }
}
