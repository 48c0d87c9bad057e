internal import AsyncRuntime

extension SerialQueueStorage {
  /// Runs an item, and suspends until it has ended.
  @usableFromInline
  func run(
    _ item: AwaitedItem, _ options: [SerialQueue.ItemOption], _ isolation: isolated (any Actor)?
  ) async throws {
    item.apply(options)
    try checkSelfAwait(of: item)
    // Recorded before any code can cancel the item.
    trace?.submit(item)
    try await withTaskCancellationHandler {
      // An item ends only once, so a checked continuation is not needed.
      try await withUnsafeThrowingContinuation { continuation in
        item.continuation = continuation
        appendWhenRoom(item, hasOptions: !options.isEmpty)
      }
    } onCancel: {
      updateInTurn { $0.cancel(item) }
    }
  }

  /// Throws if the calling task would wait for itself.
  ///
  /// - Parameter item: the item that the task is about to await; nil if it awaits all items of the queue.
  func checkSelfAwait(of item: QueuedItem?) throws(SerialQueueError) {
    // Usually no item is running. Then the caller cannot be one, and its identity need not be computed.
    guard withLock({ !$0.running.isEmpty }), let identity = Carrier.currentIdentity,
      withLock({ $0.isAwaited(item, by: identity) })
    else { return }
    let error = SerialQueueError.selfAwait(queue: label)
    runtime.misuse("never-completed", error.description, of: LaneContext.current.span)
    throw error
  }

  /// A sequence of the moments when the queue becomes idle.
  func idleMoments() -> AsyncStream<Void> {
    decide { ($0.followIdleMoments(), nil) }.events()
  }
}

extension SerialQueueState {
  /// Whether `item` cannot end before the asynchronous item that runs in the task `identity`; nil stands for all items.
  fileprivate func isAwaited(_ item: QueuedItem?, by identity: Int) -> Bool {
    guard let caller = running.all.first(where: { $0.carrier?.isIdentified(by: identity) == true })
    else { return false }
    guard let item else { return true }
    switch item.phase {
    case .failing, .ended: return false
    case .running: return item === caller
    case .new, .outside:
      return width == 1 || caller.traits.contains(.barrier) || item.traits.contains(.barrier)
        || line.hasBarrier && !coalesces(item)
    case .waiting:
      return width == 1 || caller.traits.contains(.barrier) || item.traits.contains(.barrier)
    }
  }
}
