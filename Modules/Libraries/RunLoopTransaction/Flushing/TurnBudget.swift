import AsyncRuntime

/// The time that the queues of a run loop may take of each of its turns, all together.
///
/// ```swift
/// let budget = TurnBudget(.milliseconds(4))
/// let layout = TransactionQueue("layout", sharing: budget, order: 1_000_000)
/// let drawing = TransactionQueue("drawing", sharing: budget, order: 2_000_000)
/// ```
///
/// A queue begins no further transaction when the time is used up; what is left goes on in the next turn, in
/// its order, and the loop is woken for it. One that runs is never broken off. Each queue that has something
/// to perform performs at least one transaction a turn, so that none of them starves. What ``TransactionQueue/flushNow()`` takes in the
/// course of a turn is spent, too; it performs all that waits, whatever is left.
public final class TurnBudget: Sendable {
  /// How long a turn may take.
  public let limit: Duration
  let loop: any RunLoopScheduler
  let runtime: any Runtime
  private let time = Locked(Duration.zero)
  private let reset: any Cancellable

  /// - Parameters:
  ///   - limit: if it is not above zero, each queue performs one transaction a turn.
  ///   - loop: whose turns; that of the main lane if it is nil.
  public init(
    _ limit: Duration, on loop: (any RunLoopScheduler)? = nil,
    runtime: any Runtime = LiveRuntime.shared
  ) {
    self.limit = limit
    self.runtime = runtime
    self.loop = loop ?? runtime.main
    // After all that is done at the end of the turn: what is flushed before it counts, too.
    reset = self.loop.atEndOfTurn(order: .max) { [time] in time.withLock { $0 = .zero } }
  }

  deinit { reset.cancel() }

  /// How much of the turn has been used.
  var spent: Duration { time.withLock { $0 } }

  /// How much of the turn is left.
  var left: Duration { limit - spent }

  func spend(_ duration: Duration) { time.withLock { $0 += duration } }
}
