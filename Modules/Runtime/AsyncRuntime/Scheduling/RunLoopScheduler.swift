/// A run loop: runs its jobs one after another on a lane of its own, in turns, and waits between turns.
///
/// A turn ends when the loop has no more jobs. All functions can be called from any thread.
public protocol RunLoopScheduler: Scheduler {
  /// Whether the calling code runs on the loop.
  var isCurrent: Bool { get }

  /// Calls `action` on the loop each time the loop is about to wait or exits.
  ///
  /// Actions with a lower `order` run first. Actions with the same order run in the order in which they were added. An
  /// action runs on behalf of the caller of this function. An action that is cancelled on the loop does not run again.
  /// An action that is cancelled on another thread may be running at that moment.
  func atEndOfTurn(order: Int, _ action: @escaping @Sendable () -> Void) -> any Cancellable

  /// Makes the loop take another turn, even if it is waiting and has no job. An action at the end of a turn can call
  /// this, too.
  func wake()
}
