extension SerialQueue {
  /// A piece of work in the queue: await it, listen to it, cancel it, or ignore it.
  public struct Item<Success: Sendable>: Sendable {
    private let item: TypedItem<Success>

    init(_ item: TypedItem<Success>) { self.item = item }

    /// What the work yields.
    ///
    /// Cancelling the task that awaits ends the wait at once; the item itself goes on.
    ///
    /// - Throws: the work's error; `CancellationError` if the item was cancelled before it started, or
    ///   the awaiting task; `CompletionDropped` if the work let go of its completion.
    public var value: Success {
      get async throws { try await AwaitedResult.wait { item.listen($0) } }
    }

    /// Calls `handler` once, when the work has ended and before the next item starts; at once if it has
    /// ended already. It runs on the thread on which the work ended, never under a lock.
    public func onCompletion(
      _ handler: @escaping @Sendable (Result<Success, any Error>) -> Void
    ) {
      item.listen(handler)
    }

    /// Takes the item out of the queue if it waits: it never starts, and fails with a
    /// `CancellationError`. If it runs it is told, and ends when it says so. Afterwards: nothing.
    ///
    /// - Complexity: O(n) in the number of items that wait.
    public func cancel() { item.cancel() }
  }
}
