extension SerialQueue {
  // MARK: Cancelling

  /// Removes all items that are queued or wait for room. They never start, and fail with a `CancellationError`.
  ///
  /// - Complexity: O(*n*) for *n* items that are queued or wait for room.
  public func cancelPending() { storage.updateInTurn { $0.cancelPending() } }

  /// Removes all items that are queued or wait for room, and notifies the running ones that they are cancelled.
  public func cancelAll() {
    storage.updateInTurn { $0.cancelPending() + $0.cancelRunning() }
  }

  // MARK: Suspending

  /// Starts no more items until `resume()`. Running items continue.
  ///
  /// If a suspended queue is released, no code can resume it. Its queued items then fail with
  /// `SerialQueueError.abandoned`.
  public func suspend() { storage.update { $0.suspend() } }

  /// Lets items start again, even after a failure has suspended or stopped the queue.
  public func resume() { storage.update { $0.resume() } }

  /// Whether the queue is suspended.
  public var isSuspended: Bool { storage.withLock { $0.isSuspended } }

  /// Whether a failure has stopped the queue: see `FailurePolicy.stop`.
  public var isStopped: Bool { storage.withLock { $0.isStopped } }

  // MARK: Counting

  /// The number of items that have not ended. Items that wait for room do not count. While another thread is enqueueing
  /// an item, that item and later ones may be missing from the count.
  ///
  /// - Complexity: O(*n*) for *n* running items.
  public var count: Int { storage.read { $0.count } }

  /// The number of queued items.
  public var waitingCount: Int { storage.read { $0.line.count } }

  /// The number of running items.
  ///
  /// - Complexity: O(*n*) for *n* running items.
  public var runningCount: Int { storage.withLock { $0.running.unendedCount } }

  // MARK: Observing

  /// Calls `handler` once, when every item that was enqueued before has ended. Calls it immediately
  /// if they already have. The handler runs on the thread on which the last of them ended, never
  /// under a lock.
  public func onDrained(_ handler: @escaping @Sendable () -> Void) {
    storage.updateInTurn { $0.wait(handler) }
  }

  /// Calls `handler` each time the queue becomes idle: it had items, and now none is queued or
  /// running. The handler runs on the thread on which the last item ended, never under a lock.
  ///
  /// - Returns: an object that stops the calls when it is cancelled. A call may be in progress at
  ///   that moment. Releasing the object does not stop the calls.
  @discardableResult
  public func onIdle(_ handler: @escaping @Sendable () -> Void) -> any Cancellable {
    let observer = IdleObserver(handler)
    storage.update { $0.add(observer) }
    return IdleObservation(observer, of: storage)
  }

  /// A sequence with one element for each time the queue becomes idle, from now on. A queue becomes
  /// idle when it had items, and now none is queued or running.
  ///
  /// ```swift
  /// for await _ in queue.idleMoments { log.append("nothing to do") }
  /// ```
  ///
  /// Each access makes another sequence, for one consumer. A slow consumer misses no element: the
  /// buffer has no limit, and its elements need no memory. A sequence does not retain the queue.
  /// The sequence ends when the queue has been released and its work is done. No lock is held while
  /// an element is delivered.
  ///
  /// - Complexity: O(1). From then on each idle moment costs O(*n*) for *n* sequences.
  public var idleMoments: AsyncStream<Void> { storage.idleMoments() }
}

/// Holds a handler to call when a queue becomes idle.
final class IdleObserver: Sendable {
  let handler: @Sendable () -> Void

  init(_ handler: @escaping @Sendable () -> Void) { self.handler = handler }
}

private final class IdleObservation: Cancellable {
  private let observer: IdleObserver
  private let storage: SerialQueueStorage

  init(_ observer: IdleObserver, of storage: SerialQueueStorage) {
    self.observer = observer
    self.storage = storage
  }

  func cancel() { storage.update { $0.remove(observer) } }
}
