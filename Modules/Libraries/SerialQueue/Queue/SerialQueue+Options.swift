public import AsyncRuntime

extension SerialQueue {
  /// How the queue treats an item.
  public enum ItemOption: Sendable {
    /// The item starts when all earlier items have ended, and runs alone. No later item overtakes it.
    case barrier
    /// The item starts before queued items of a lower priority, but never passes a barrier. Items of the same priority
    /// start in the order of their arrival. The queue distinguishes three priorities: all below `normal` count as
    /// `low`, and all above it as `high`. If an item is given several, the last one counts.
    case priority(Priority)
    /// If the item has not ended within this time after its start, it fails with `TimedOut`, and the
    /// queue continues. Replaces the timeout of the queue.
    case timeout(Duration)
    /// Only one of the items with the same key is queued at a time.
    case key(String, Coalescing)
    /// The name of the item in traces, instead of its key or its number.
    case label(String)
  }

  /// What happens if an item arrives while another one with the same key is queued. A running item does not count. The
  /// rule of the newer item applies, also if the queue is full.
  public enum Coalescing: Sendable, Hashable {
    /// The newer item takes the place of the older one in the queue. It takes over its priority and whether it is a
    /// barrier. The older item fails with `SerialQueueError.superseded`. Enqueueing repeatedly does not delay the item.
    case latestWins
    /// The older item stays. The newer one fails with `SerialQueueError.superseded`.
    case firstWins
  }

  /// What the queue does when an item fails. An item that was cancelled has not failed, however it ends. An item that
  /// throws a `CancellationError` has not failed either. Any other item that times out has failed.
  public enum OnFailure: Sendable, Hashable {
    /// Starts the next item.
    case `continue`
    /// Starts no more items: until `resume()`, all queued and arriving items fail with `SerialQueueError.stopped`.
    case stop
    /// Pauses until `resume()`.
    case pause
  }
}

extension QueuedItem {
  /// Applies the options. Called before any other code can reach the item.
  final func apply(_ options: [SerialQueue.ItemOption]) {
    for option in options {
      switch option {
      case .barrier: traits.insert(.barrier)
      case .priority(let priority): self.priority = priority.level
      case .timeout(let timeout): ensuredExtras.timeout = timeout
      case .key(let key, let rule): ensuredExtras.key = (key, rule)
      case .label(let label): ensuredExtras.label = label
      }
    }
  }
}
