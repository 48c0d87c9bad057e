/// What a serial queue is to do once its lock has been let go of.
///
/// Safe to share: it is the holder's of the lock, and then that one's alone.
final class SerialQueueEffects: @unchecked Sendable {
  /// These have ended without having run to their end.
  var failed: [(item: QueuedItem, error: any Error)] = []
  /// To be told of a cancellation.
  var carriers: [Carrier] = []
  var handlers: [@Sendable () -> Void] = []
  /// Those who have waited for the end of items, or for the queue to be idle.
  var waiters: [@Sendable () -> Void] = []
  var timers: [any Cancellable] = []
  /// To be let go of, which may run code of a user's.
  var discarded: [any Sendable] = []
}
