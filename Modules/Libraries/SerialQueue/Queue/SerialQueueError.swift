/// Why an item of a serial queue ended without the result of its work.
public enum SerialQueueError: Error, Sendable, CustomStringConvertible {
  /// The item timed out; its work may still be running.
  case timedOut(Place, after: Duration)
  /// Another item with the same key was kept instead.
  case superseded(Place, key: String)
  /// An item failed, so the queue has stopped.
  case stopped(Place, because: any Error)
  /// The queue contained as many items as its bound allows.
  case full(Place, bound: Int)
  /// The code awaited something that cannot happen before that code has ended.
  case selfAwait(queue: String)
  /// The queue was released while it was paused.
  case abandoned(Place)

  /// Identifies an item of a queue.
  public struct Place: Sendable, Hashable, CustomStringConvertible {
    /// The label of the queue.
    public var queue: String
    /// Where the item was enqueued.
    public var file: String
    public var line: Int

    public var description: String {
      queue.isEmpty
        ? "item enqueued at \(file):\(line)" : "\(queue): item enqueued at \(file):\(line)"
    }
  }

  public var description: String {
    switch self {
    case .timedOut(let place, let timeout):
      "“\(place)” has not ended within \(timeout.shortDescription), and the queue went on; its work may "
        + "still be running: end it when it is told of its cancellation, or give it more time"
    case .superseded(let place, let key):
      "“\(place)” gave way to another item with the key “\(key)”; enqueue it without a key, or with "
        + "the other rule, if it is to run all the same"
    case .stopped(let place, let error):
      "“\(place)” did not start, since an item before it failed: \(error); call resume() to go on"
    case .full(let place, let bound):
      "“\(place)” found no room: the queue may have \(bound) items; wait for room with run or "
        + "enqueueWhenRoom, or raise the bound"
    case .selfAwait(let queue):
      "an item of the queue\(queue.isEmpty ? "" : " “\(queue)”") awaits what cannot come before it has ended itself; "
        + "await it from outside, or enqueue what is to come after it without awaiting it"
    case .abandoned(let place):
      "“\(place)” cannot start any more: its queue was let go of while it was paused; hold the queue "
        + "until it has been resumed"
    }
  }
}
