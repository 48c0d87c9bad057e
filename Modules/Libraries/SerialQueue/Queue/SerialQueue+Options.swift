extension SerialQueue {
  /// How an item stands in line.
  public enum ItemOption: Sendable {
    /// It starts when all before it have ended, runs alone, and nothing overtakes it.
    case barrier
    /// It goes before those of a lower priority that wait, but not past a barrier; of several options
    /// the last counts.
    case priority(Priority)
    /// It fails with `SerialQueueError.timedOut` if it has not ended so long after its start, and the queue
    /// goes on. In place of the queue's own timeout.
    case timeout(Duration)
    /// Of the items with one key, only one waits at a time.
    case key(String, Coalescing)
    /// What traces call it, in place of its key or its number.
    case label(String)
  }

  /// In which order items start that wait at the same time; those of one priority in the order in which they
  /// came.
  public enum Priority: UInt8, Sendable, Hashable, CaseIterable, Comparable {
    case low, normal, high

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// What becomes of an item whose key waits in line already. One that runs does not count.
  public enum Coalescing: Sendable, Hashable {
    /// It takes the older one's place in line, and with it its priority and whether it is a barrier; the
    /// older one fails with `SerialQueueError.superseded`. Enqueueing again and again does not put it off.
    case latestWins
    /// The older one stays; the newer one fails with `SerialQueueError.superseded`.
    case firstWins
  }

  /// What becomes of the queue when an item fails. An item that was cancelled, or throws a `CancellationError`, has not
  /// failed. One that runs out of time has.
  public enum OnFailure: Sendable, Hashable {
    /// The next item starts.
    case goOn
    /// Nothing starts any more: what waits fails with `SerialQueueError.stopped`, and so does what comes
    /// later, until `resume()`.
    case stop
    /// The queue pauses, until `resume()`.
    case pause
  }
}

extension QueuedItem {
  /// Notes the options. Called before anybody else knows the item.
  final func apply(_ options: [SerialQueue.ItemOption]) {
    for option in options {
      switch option {
      case .barrier: traits.insert(.barrier)
      case .priority(let priority): self.priority = priority
      case .timeout(let timeout): ensuredExtras.timeout = timeout
      case .key(let key, let rule): ensuredExtras.key = (key, rule)
      case .label(let label): ensuredExtras.label = label
      }
    }
  }
}
