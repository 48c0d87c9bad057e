extension SerialQueue {
  // MARK: Cancelling

  /// Takes out all items that wait, for room or for their turn; they never start, and fail with a
  /// `CancellationError`.
  ///
  /// - Complexity: O(*n*) for *n* items that wait.
  public func cancelPending() { storage.updateInTurn { $0.cancelPending() } }

  /// Takes out all items that wait, and tells those that run.
  public func cancelAll() {
    storage.updateInTurn { $0.cancelPending() + $0.cancelRunning() }
  }

  // MARK: Pausing

  /// Nothing starts any more until `resume()`; what runs goes on.
  ///
  /// A queue that is let go of while it is paused can never be resumed: what waits then fails with
  /// `SerialQueueError.abandoned`.
  public func pause() { storage.update { $0.pause() } }

  /// Lets items start again, also after a failure has paused or stopped the queue.
  public func resume() { storage.update { $0.resume() } }

  /// Whether it is paused.
  public var isPaused: Bool { storage.withLock { $0.isPaused } }

  /// Whether a failure has stopped it: see `OnFailure.stop`.
  public var isStopped: Bool { storage.withLock { $0.isStopped } }

  // MARK: Counting

  /// How many items there are that have not ended; those that wait for room do not count, and perhaps not
  /// those that come after one that another thread is just enqueueing.
  public var count: Int { storage.read { $0.count } }

  /// How many items wait for their turn.
  public var waitingCount: Int { storage.read { $0.line.count } }

  /// How many items run.
  public var runningCount: Int { storage.withLock { $0.running.count } }

  // MARK: Listening

  /// Calls `handler` once, when every item enqueued so far has ended; at once if they have. It runs on
  /// the thread on which the last of them ended, never under a lock.
  public func onDrained(_ handler: @escaping @Sendable () -> Void) {
    storage.updateInTurn { $0.wait(handler) }
  }

  /// Calls `handler` each time the queue becomes idle: something was in it, and now nothing waits and
  /// nothing runs. It runs on the thread on which the last item ended, never under a lock.
  ///
  /// - Returns: what calls it off; it may be being called just then. Who lets go of it is still told.
  @discardableResult
  public func onIdle(_ handler: @escaping @Sendable () -> Void) -> any Cancellable {
    let observer = IdleObserver(handler)
    storage.update { $0.add(observer) }
    return IdleObservation(observer, of: storage)
  }
}

/// Who wants to know when a queue is idle.
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
