internal import AsyncRuntime

extension SerialQueue {
  /// A piece of work in the queue: await it, listen to it, cancel it, or ignore it.
  public struct Item<Success: Sendable>: Sendable {
    @usableFromInline let item: TypedItem<Success>
    @usableFromInline let storage: SerialQueueStorage

    @inlinable
    init(item: TypedItem<Success>, storage: SerialQueueStorage) {
      self.item = item
      self.storage = storage
    }

    /// What the work yields.
    ///
    /// Cancelling the task that awaits ends the wait at once; the item itself goes on.
    ///
    /// - Throws: the work's error; `CancellationError` if the item was cancelled before it started, or
    ///   the awaiting task; `CompletionDropped` if the work let go of its completion; a
    ///   `SerialQueueError` if the queue ended the item, and `SerialQueueError.selfAwait` inside an
    ///   asynchronous function of the queue that the item cannot end before.
    public var value: Success {
      get async throws {
        try storage.checkSelfAwait(of: item)
        return try await AwaitedResult.wait { item.listen(in: storage, $0) }
      }
    }

    /// Calls `handler` once, when the work has ended and before the next item starts; at once if it has
    /// ended already. It runs on the thread on which the work ended, never under a lock.
    public func onCompletion(
      _ handler: @escaping @Sendable (Result<Success, any Error>) -> Void
    ) {
      item.listen(in: storage, handler)
    }

    /// Takes the item out of the queue if it waits: it never starts, and fails with a
    /// `CancellationError`. If it runs it is told, and ends when it says so: completion-handler work by
    /// `Done.onCancel`, an asynchronous function by its task. Afterwards: nothing.
    ///
    /// - Complexity: amortised O(1), plus O(*b*) for *b* barriers that wait.
    public func cancel() { storage.update { $0.cancel(item) } }
  }
}
