/// Why an item of a serial queue did not yield what its work yields.
public enum SerialQueueError: Error, Sendable, CustomStringConvertible {
  /// It ran for longer than it may; its work may still be running.
  case timedOut(Place, after: Duration)
  /// Another item with its key was in line.
  case superseded(Place, key: String)
  /// The queue has stopped, since an item failed.
  case stopped(Place, because: any Error)
  /// The queue had as many items as it may have.
  case full(Place, bound: Int)
  /// Something was awaited that cannot come before the code that awaits it has ended.
  case selfAwait(queue: String)
  /// The queue was let go of while it was paused.
  case abandoned(Place)

  /// Which item of which queue.
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
