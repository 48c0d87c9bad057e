/// A run loop: runs its jobs one after another on a lane of its own, in turns, and waits between turns.
///
/// A turn ends when the loop has no more jobs. All functions can be called from any thread.
public protocol RunLoopScheduler: Scheduler {
  /// Whether the calling code runs on the loop.
  var isCurrent: Bool { get }

  /// Calls `action` on the loop each time the loop is about to wait, or exits.
  ///
  /// Of several actions, the one with the lower `order` comes first, then the one that was added earlier. An action
  /// runs on behalf of the caller of this function. Cancelled on the loop, it does not run again. Cancelled from
  /// another thread, it may be running at that moment.
  func atEndOfTurn(order: Int, _ action: @escaping @Sendable () -> Void) -> any Cancellable

  /// Makes the loop take another turn, even if it waits and has no job. Can be called from an action at the end of a
  /// turn, too.
  func wake()
}
