public import AsyncRuntime

/// Runs asynchronous work one item after another, without blocking a thread.
///
/// An item starts when the one before it has *ended*, not when it has merely returned:
///
/// ```swift
/// let queue = SerialQueue("label")
/// queue.enqueueWithCompletion { done in
///   animator.animate(opacity: 1, completion: done.closure)
/// }
/// let page = queue.enqueue { try await download(url) }
/// queue.enqueue { count.withLock { $0 += 1 } }
/// print(try await page.value)
/// ```
///
/// - Items start and end in the order in which they were enqueued, from any thread. Items that one
///   thread enqueues keep the order of that thread. An item that is enqueued from inside another
///   item, or from its handler, goes to the end.
/// - With a width above 1, items are taken in that order, and several run at the same time. If two
///   items are taken at the same time, their lanes decide which one starts first. A barrier runs
///   alone: it starts after all earlier items and before all later ones.
/// - The queue lives until its work is done, even without any reference to it, unless it is suspended.
/// - The queue never runs your closures under its lock. A million items that end immediately need
///   no additional stack.
/// - No thread waits for anything. An item that has started and not ended takes a few bytes.
/// - An asynchronous function of the queue may await something that cannot happen before the
///   function ends. It then gets `SerialQueueError.selfAwait` instead of a deadlock. An await in a
///   task that the function itself starts is not detected.
///
/// Asynchronous functions run one after another in one task, so they share its priority. They do not get the task-local
/// values of the code that enqueues them.
///
/// The queue records its work in the `trace` of its runtime, if the runtime has one when the queue is
/// made. Otherwise tracing costs nothing. The queue is a span inside the span that made it. Its
/// items are spans inside the queue's span, and the work of each item runs on behalf of its span.
/// Edges show which item's end let an item start, and which span enqueued it. In a traced queue,
/// each item enters under the lock, and each asynchronous function has its own task.
///
/// Without a bound and a trace, enqueueing usually takes no lock. Arriving items go into an
/// intrusive queue for many producers (D. Vyukov, 2010). A producer takes the lock for an item with
/// options, and when the queue is out of work. The thread that drains the queue takes the lock once
/// for each item.
///
/// Synchronous functions without a value are stored in objects that are reused. Each thread that
/// enqueues or drains keeps up to 64 of them. All threads together keep up to 1024 more, whatever
/// the number of queues.
public final class SerialQueue: Sendable {
  @usableFromInline let storage: SerialQueueStorage

  /// - Parameters:
  ///   - label: the name of the queue in reports and traces.
  ///   - placement: where items start. With `.inline`, an item starts without a hop, on the lane
  ///     that enqueued it or that ended the item before it. Asynchronous functions then run on the
  ///     pool.
  ///   - width: the maximum number of items that run at the same time; a value below 1 counts as 1.
  ///   - bound: the maximum number of items that have not ended; unlimited by default, and a value
  ///     below 1 counts as 1. An item above the bound fails with `SerialQueueError.full`. `run` and
  ///     `enqueueWhenRoom` wait for room instead.
  ///   - timeout: the time that an item may take from its start, unless it has its own timeout;
  ///     unlimited by default. Each start then costs a timer.
  ///   - onFailure: the reaction of the queue to an item that fails.
  ///   - runtime: the source of time and threads.
  ///   - isTraced: whether the trace of the runtime records the queue and its items. Pass false if
  ///     other code records them.
  public init(
    _ label: String = "", on placement: Placement = .pool, width: Int = 1, bound: Int? = nil,
    timeout: Duration? = nil, onFailure: FailurePolicy = .continue,
    runtime: any Runtime = LiveRuntime.shared, isTraced: Bool = true
  ) {
    storage = SerialQueueStorage(
      label: label, placement: placement, width: width, bound: bound, timeout: timeout,
      onFailure: onFailure, runtime: runtime, isTraced: isTraced)
  }

  deinit { storage.update { $0.abandon() } }
}
