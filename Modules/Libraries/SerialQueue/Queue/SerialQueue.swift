public import AsyncRuntime

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
/// queue.enqueue { count += 1 }
/// print(try await page.value)
/// ```
///
/// - Items start and end strictly in the order in which they were enqueued, whoever enqueues them; those
///   of one thread in that thread's order. Enqueueing from inside an item, or from what listens to one,
///   puts the new one at the end.
/// - With a width above 1 they are taken in that order, and that many run side by side; which of two that
///   were taken at once begins first is up to their lanes. A barrier runs alone, and keeps what is before
///   it from what is after it.
/// - The queue lives until its work is done; nobody needs to hold it, unless it is paused.
/// - No closure handed to it ever runs under its lock. A million items that end at once need no stack.
/// - No thread waits for anything: an item that has started and not ended is a few bytes.
/// - An asynchronous function of the queue that awaits what cannot come before it has ended gets
///   `SerialQueueError.selfAwait` in place of a deadlock. Tasks that it starts itself are not noticed.
///
/// Asynchronous functions run one after another in one task, so they share its priority; task-local values of
/// whoever enqueues them are not theirs.
///
/// A queue tells the `trace` of its runtime what it does, if somebody listens when it is made, and else that costs
/// nothing: it is a span, a part of what made it, and its items are parts of that, each on behalf of which its own work is
/// done. Edges say whose end let one start, and who enqueued it. Each is then let in under the lock, and each
/// asynchronous function has a task of its own.
///
/// Who enqueues takes no lock: what comes goes into an intrusive queue for many producers (D. Vyukov, 2010), and
/// the one who drains the queue takes its lock once an item. Synchronous functions without a value are kept in
/// objects that are used again: up to 64 of them stay with each thread that enqueues or drains, and up to
/// 1024 for all of them together, whatever the number of queues.
public final class SerialQueue: Sendable {
  @usableFromInline let storage: SerialQueueStorage

  /// - Parameters:
  ///   - label: what reports and traces call it.
  ///   - placement: where items start; `.inline` starts an item on the lane that enqueued it or that
  ///     ended the one before it, without a hop. Asynchronous functions then run on the pool.
  ///   - width: how many items run side by side; below 1 counts as 1.
  ///   - bound: how many items there may be that have not ended; as many as there are unless given, and
  ///     below 1 counts as 1. One too many fails with `SerialQueueError.full`; `run` and
  ///     `enqueueWhenRoom` wait.
  ///   - timeout: how long an item may take from its start, unless it says so itself; for ever unless given.
  ///     Each start then costs a timer.
  ///   - onFailure: what becomes of the queue when an item fails.
  ///   - runtime: where time and threads come from.
  ///   - isTraced: whether the trace of the runtime records the queue and its items. Pass false if other code
  ///     records them.
  public init(
    _ label: String = "", on placement: Placement = .pool, width: Int = 1, bound: Int? = nil,
    timeout: Duration? = nil, onFailure: OnFailure = .goOn,
    runtime: any Runtime = LiveRuntime.shared, isTraced: Bool = true
  ) {
    storage = SerialQueueStorage(
      label: label, placement: placement, width: width, bound: bound, timeout: timeout,
      onFailure: onFailure, runtime: runtime, isTraced: isTraced)
  }

  deinit { storage.update { $0.abandon() } }

  /// Appends a synchronous function; it ends when the function returns.
  ///
  /// - Complexity: O(1), without a lock unless the queue has a bound or nothing to do.
  @inlinable
  @discardableResult
  public func enqueue(
    file: StaticString = #fileID, line: UInt = #line,
    _ work: consuming @escaping @Sendable () -> Void
  ) -> Item<Void> {
    // Inlined, so that who ignores the item does not count a reference to what all producers share.
    Item(item: storage.append(work, file: file, line: line), storage: storage)
  }

  /// Appends a synchronous function that yields a value; it ends when the function returns or throws.
  ///
  /// - Complexity: as of the one without a value.
  public func enqueue<Success: Sendable>(
    file: StaticString = #fileID, line: UInt = #line,
    _ work: @escaping @Sendable () throws -> Success
  ) -> Item<Success> {
    append(SynchronousItem(work, site: SourceSite(file: file, line: line)))
  }

  /// Appends completion-handler work; it ends when it calls the `done` it gets.
  ///
  /// - Complexity: as of a synchronous function.
  @discardableResult
  public func enqueue(
    file: StaticString = #fileID, line: UInt = #line,
    _ work: @escaping @Sendable (_ done: Done<Void>) -> Void
  ) -> Item<Void> {
    append(CallbackItem(work, site: SourceSite(file: file, line: line)))
  }

  /// Appends completion-handler work that yields a value; it ends when it calls the `done` it gets.
  ///
  /// ```swift
  /// let size = queue.enqueue(of: Int.self) { done in measure { done($0) } }
  /// ```
  public func enqueue<Success: Sendable>(
    of type: Success.Type, file: StaticString = #fileID, line: UInt = #line,
    _ work: @escaping @Sendable (_ done: Done<Success>) -> Void
  ) -> Item<Success> {
    append(CallbackItem(work, site: SourceSite(file: file, line: line)))
  }

  /// Appends an asynchronous function; it ends when the function returns or throws. Cancelling the item
  /// while it runs cancels the task it runs in.
  @discardableResult
  public func enqueue(
    file: StaticString = #fileID, line: UInt = #line,
    _ work: consuming @escaping @Sendable () async throws -> Void
  ) -> Item<Void> {
    append(PlainAsynchronousItem(work, site: SourceSite(file: file, line: line)))
  }

  /// Appends an asynchronous function that yields a value; it ends when the function returns or throws.
  /// Cancelling the item while it runs cancels the task it runs in.
  public func enqueue<Success: Sendable>(
    file: StaticString = #fileID, line: UInt = #line,
    _ work: @escaping @Sendable () async throws -> Success
  ) -> Item<Success> {
    append(AsynchronousItem(work, site: SourceSite(file: file, line: line)))
  }

  private func append<Success>(_ item: TypedItem<Success>) -> Item<Success> {
    storage.append(item)
    return Item(item: item, storage: storage)
  }
}
