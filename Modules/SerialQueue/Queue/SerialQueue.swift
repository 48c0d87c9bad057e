@_exported public import AsyncPatterns

/// A queue that runs asynchronous work one item after another, and blocks no thread for it.
///
/// An item starts when the one before it has *ended*, not merely returned:
///
/// ```swift
/// let queue = SerialQueue("label")
/// queue.enqueue { done in
///   animator.animate(opacity: 1) { done() }
/// }
/// let page = queue.enqueue { try await download(url) }
/// print(try await page.value)
/// ```
///
/// - Items start and end strictly in the order in which they were enqueued, whoever enqueues them; those
///   of one thread in that thread's order. Enqueueing from inside an item puts the new one at the end.
/// - An item that is awaited from inside an earlier one of the same queue waits for ever: the earlier one
///   would have to end first.
/// - The queue lives until its work is done; nobody needs to hold it.
/// - No closure handed to it ever runs under its lock. A million items that end at once need no stack.
public final class SerialQueue: Sendable {
  private let storage: SerialQueueStorage

  /// - Parameters:
  ///   - label: what reports call it.
  ///   - placement: where items start; `.inline` starts an item on the lane that enqueued it or that
  ///     ended the one before it, without a hop. Asynchronous functions then run on the pool.
  ///   - runtime: where time and threads come from.
  public init(
    _ label: String = "", on placement: Placement = .pool,
    runtime: any Runtime = LiveRuntime.shared
  ) {
    storage = SerialQueueStorage(label: label, placement: placement, runtime: runtime)
  }

  /// Appends completion-handler work; it ends when it calls the `done` it gets.
  ///
  /// - Complexity: amortised O(1)
  @discardableResult
  public func enqueue(
    file: StaticString = #fileID, line: UInt = #line,
    _ work: @escaping @Sendable (_ done: Done<Void>) -> Void
  ) -> Item<Void> {
    enqueue(.callback(work), SourceSite(file: file, line: line))
  }

  /// Appends completion-handler work that yields a value; it ends when it calls the `done` it gets.
  ///
  /// ```swift
  /// let size = queue.enqueue(of: Int.self) { done in measure { done(.success($0)) } }
  /// ```
  @discardableResult
  public func enqueue<Success: Sendable>(
    of type: Success.Type, file: StaticString = #fileID, line: UInt = #line,
    _ work: @escaping @Sendable (_ done: Done<Success>) -> Void
  ) -> Item<Success> {
    enqueue(.callback(work), SourceSite(file: file, line: line))
  }

  /// Appends an asynchronous function; it ends when the function returns or throws. Cancelling the item
  /// while it runs cancels the function's task.
  public func enqueue<Success: Sendable>(
    file: StaticString = #fileID, line: UInt = #line,
    _ work: @escaping @Sendable () async throws -> Success
  ) -> Item<Success> {
    enqueue(.asynchronous(work), SourceSite(file: file, line: line))
  }

  private func enqueue<Success: Sendable>(
    _ work: TypedItem<Success>.Work, _ site: SourceSite
  ) -> Item<Success> {
    let item = TypedItem(work, queue: storage, site: site)
    storage.enqueue(item)
    return Item(item)
  }

  /// Takes out all items that wait; they never start, and fail with a `CancellationError`.
  public func cancelPending() {
    let (items, consequence) = storage.withLock { $0.removePending() }
    for item in items { item.abandon() }
    storage.perform(consequence)
  }

  /// Takes out all items that wait, and tells the one that runs.
  public func cancelAll() {
    let (items, consequence, handlers) = storage.withLock { state in
      let (items, consequence) = state.removePending()
      return (items, consequence, state.running?.markCancelled() ?? [])
    }
    for item in items { item.abandon() }
    for handler in handlers { handler() }
    storage.perform(consequence)
  }

  /// How many items there are that have not ended.
  public var count: Int {
    storage.withLock { $0.pendingCount + ($0.running == nil ? 0 : 1) }
  }

  /// Suspends until every item enqueued so far has ended. Called from inside an item of this queue it
  /// waits for itself, for ever.
  ///
  /// - Throws: `CancellationError` as soon as the awaiting task is cancelled; the items go on.
  public func drain() async throws {
    try await AwaitedResult<Void>.wait { bring in onDrained { bring(.success(())) } }
  }

  /// Calls `handler` once, when every item enqueued so far has ended; at once if that is so. It runs on
  /// the thread on which the last of them ended, never under a lock.
  public func onDrained(_ handler: @escaping @Sendable () -> Void) {
    if storage.withLock({ $0.wait(handler) }) { handler() }
  }
}
