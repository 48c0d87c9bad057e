public import AsyncRuntime

extension SerialQueue {
  /// How the queue treats an item.
  public enum ItemOption: Sendable {
    /// The item starts when all earlier items have ended, and runs alone. No later item overtakes it.
    case barrier
    /// The item starts before queued items of a lower priority, but never passes a barrier. Items
    /// of the same priority start in the order of their arrival. The queue distinguishes three
    /// priorities: all below `normal` count as `low`, and all above it as `high`. If several
    /// priorities are given, the last one counts.
    case priority(Priority)
    /// The time that the item may take from its start. After that time the item fails with `TimedOut`, and the queue
    /// continues. This timeout replaces the timeout of the queue.
    case timeout(Duration)
    /// Only one of the items with the same key is queued at a time.
    case key(String, Coalescing)
    /// The name of the item in messages and, instead of its key or its number, in traces.
    case label(String)
    /// Combines a list of options into one.
    case all([ItemOption])
  }

  /// The rule for an item that arrives while another one with the same key is queued. A running
  /// item does not count. The rule of the newer item applies, even if the queue is full.
  public enum Coalescing: Sendable, Hashable {
    /// The newer item takes the place of the older one in the queue. It also takes over the older
    /// item's priority, and runs as a barrier if the older item was one. The older item fails with
    /// `SerialQueueError.superseded`. Enqueueing repeatedly does not delay the item.
    case latestWins
    /// The older item stays. The newer one fails with `SerialQueueError.superseded`.
    case firstWins
  }

  /// The reaction of the queue to an item that fails. A cancelled item has not failed, however it
  /// ends. An item that throws a `CancellationError` has not failed either. An item that times out
  /// has failed, unless it was cancelled before.
  public enum FailurePolicy: Sendable, Hashable {
    /// Starts the next item.
    case `continue`
    /// Starts no more items. Until `resume()`, all queued and arriving items fail with
    /// `SerialQueueError.stopped`.
    case stop
    /// Suspends the queue until `resume()`.
    case suspend
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
      case .all(let options): apply(options)
      }
    }
  }
}
