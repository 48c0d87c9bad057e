internal import AsyncRuntime

extension SerialQueue {
  /// A piece of work in the queue. The caller can await it, observe it, cancel it or ignore it.
  public struct Item<Success: Sendable>: Sendable {
    @usableFromInline let item: TypedItem<Success>
    @usableFromInline let storage: SerialQueueStorage

    @inlinable
    init(item: TypedItem<Success>, storage: SerialQueueStorage) {
      self.item = item
      self.storage = storage
    }

    /// The result of the work.
    ///
    /// Cancelling the awaiting task ends the wait immediately; the item itself keeps running.
    ///
    /// - Throws: the error of the work; `CancellationError` if the item was cancelled before it started, or if the
    ///   awaiting task was cancelled; `TimedOut` if the item took too long; `CompletionDropped` if the work released
    ///   its completion handler without calling it; a `SerialQueueError` if the queue ended the item;
    ///   `SerialQueueError.selfAwait` if the caller is an asynchronous function of the queue that must end before the
    ///   item can.
    public var value: Success {
      get async throws {
        try storage.checkSelfAwait(of: item)
        return try await AwaitedResult.wait { item.listen(in: storage, $0) }
      }
    }

    /// Calls `handler` once, when the work has ended and before the next item starts. Calls it
    /// immediately if the work has already ended. The handler runs on the thread on which the work
    /// ended, never under a lock.
    public func onCompletion(
      _ handler: @escaping @Sendable (Result<Success, any Error>) -> Void
    ) {
      item.listen(in: storage, handler)
    }

    /// Cancels the item. If the item is queued or waits for room, it never starts and fails with a
    /// `CancellationError`. A running item is notified and decides itself when to end.
    /// Completion-handler work is notified by `Done.onCancel`, and an asynchronous function by the
    /// cancellation of its task. An item that has ended is not affected.
    ///
    /// - Complexity: amortised O(1), plus O(*b*) for *b* queued barriers.
    public func cancel() { storage.updateInTurn { [item] in $0.cancel(item) } }
  }
}
