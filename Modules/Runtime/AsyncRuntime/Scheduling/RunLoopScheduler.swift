/// A run loop: it runs its jobs one after another on a lane of its own, in turns, and waits in between.
///
/// A turn ends when nothing is left to do on the loop. All of it may be called from any thread.
public protocol RunLoopScheduler: Scheduler {
  /// Whether the calling code runs on the loop.
  var isCurrent: Bool { get }

  /// Calls `action` on the loop each time it is about to wait, or exits.
  ///
  /// Of several, the lower `order` comes first, then the earlier one. It runs on behalf of who asked
  /// for it, and not at all once it has been called off on the loop; called off from elsewhere, it may be
  /// running just then.
  func atEndOfTurn(order: Int, _ action: @escaping @Sendable () -> Void) -> any Cancellable

  /// Makes the loop take another turn, even if it waits and nothing else is there to do; also from
  /// within what it does at the end of a turn.
  func wake()
}
