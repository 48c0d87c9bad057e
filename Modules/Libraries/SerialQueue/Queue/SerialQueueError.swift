/// The reason why the queue ended an item without the result of its work. An item that timed out
/// fails with `TimedOut`.
public enum SerialQueueError: Error, Sendable, CustomStringConvertible {
  /// The queue kept another item with the same key.
  case superseded(Place, key: String)
  /// An item failed, so the queue has stopped.
  case stopped(Place, because: any Error)
  /// The queue already contained as many items as its bound allows.
  case full(Place, bound: Int)
  /// Awaiting would never end, because it would wait for the code that awaits.
  case selfAwait(queue: String)
  /// The queue was released while it was suspended.
  case abandoned(Place)

  /// Identifies an item of a queue.
  public struct Place: Sendable, Hashable, CustomStringConvertible {
    /// The label of the queue.
    public var queue: String
    /// The label of the item; “item” if it has none.
    public var item: String
    /// Where the item was enqueued.
    public var file: String
    public var line: Int

    public var description: String {
      "\(queue.isEmpty ? item : "\(queue): \(item)") enqueued at \(file):\(line)"
    }
  }

  public var description: String {
    switch self {
    case .superseded(let place, let key):
      "“\(place)” did not run, because another item with the key “\(key)” took its place; to run both, "
        + "leave the key out"
    case .stopped(let place, let error):
      "“\(place)” did not start, because an earlier item failed: \(error); call resume() to continue"
    case .full(let place, let bound):
      "“\(place)” was not enqueued, because the queue has \(bound) items; wait for room with run or "
        + "enqueueWhenRoom, or raise the bound"
    case .selfAwait(let queue):
      "an item of the queue\(queue.isEmpty ? "" : " “\(queue)”") awaits something that cannot happen before the item "
        + "itself has ended; await it outside of the item, or do not await it"
    case .abandoned(let place):
      "“\(place)” can never start, because its queue was released while it was suspended; keep a "
        + "reference to the queue until it has been resumed"
    }
  }
}
