/// One thing that a serial queue must do after it has released its lock.
enum SerialQueueAction: Sendable {
  /// The item ended before it started. Release its work, and make the error its result.
  case fail(QueuedItem, any Error)
  case cancel(Carrier)
  case cancelTimer(any Cancellable)
  case call(@Sendable () -> Void)
  // Releasing them may run code of the user.
  case releaseItems([QueuedItem])
  case releaseError(any Error)
  case releaseHandlers([@Sendable () -> Void])
}

/// The actions of a decision, in order. Most decisions have none and return nil, since even an
/// empty array costs reference counting.
typealias SerialQueueActions = [SerialQueueAction]?

extension SerialQueueActions {
  @inline(__always)
  mutating func add(_ others: SerialQueueActions) {
    guard let others else { return }
    if self?.append(contentsOf: others) == nil { self = others }
  }

  static func + (first: SerialQueueActions, second: SerialQueueActions) -> SerialQueueActions {
    var actions = first
    actions.add(second)
    return actions
  }
}
