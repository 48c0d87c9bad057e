/// One thing that a serial queue must do after it has released its lock.
enum SerialQueueAction: Sendable {
  /// The item ended before its work did: release the work, and report the error.
  case fail(QueuedItem, any Error)
  case cancel(Carrier)
  case cancelTimer(any Cancellable)
  case call(@Sendable () -> Void)
  // Releasing them may run code of the user.
  case releaseItems([QueuedItem])
  case releaseHandlers([@Sendable () -> Void])
}

extension [SerialQueueAction] {
  /// Appends the actions of another decision: most have none, and that costs nothing.
  @inline(__always)
  mutating func add(_ others: [SerialQueueAction]) {
    if !others.isEmpty { append(contentsOf: others) }
  }
}
