internal import AsyncRuntime
internal import Synchronization

extension SerialQueue {
  /// The completion handler of completion-handler work. The work calls it to end its item.
  ///
  /// ```swift
  /// queue.enqueueWithCompletion { done in upload(page, completion: done.closure) }
  /// ```
  ///
  /// Only the first call counts. A second call is reported as `completed-twice` and has no effect.
  /// If the handler is released without a call, this is reported as `completion-dropped`, with the
  /// place where the work was enqueued. The item then fails with `CompletionDropped`. The queue
  /// continues in both cases. After a timeout of the item, calling or releasing the handler is not
  /// an error and has no effect. The handler keeps the work of the queue alive, even if the queue
  /// itself is released.
  public struct Done<Success: Sendable>: Sendable {
    private let token: ItemCompletion

    /// - Parameter token: the token of a `TypedItem<Success>`.
    init(_ token: ItemCompletion) { self.token = token }

    /// Ends the item: calls the handlers that await it, then starts the next item.
    public func callAsFunction(_ result: Result<Success, any Error>) {
      guard token.noteCall() else { return }
      token.storage.end(unsafeDowncast(token.item, to: TypedItem<Success>.self), result)
    }

    /// Ends the item with its value: calls the handlers that await it, then starts the next item.
    public func callAsFunction(_ value: Success) { self(.success(value)) }

    /// Ends the item with a failure: calls the handlers that await it, then starts the next item.
    public func callAsFunction(throwing error: any Error) { self(.failure(error)) }

    /// The handler as a closure, for functions that take a completion handler. Calling or releasing the closure has the
    /// same effect as calling or releasing the handler.
    // Disfavored, so that `let end = done.closure` of a `Done<Void>` is the closure without arguments.
    @_disfavoredOverload
    public var closure: @Sendable (Result<Success, any Error>) -> Void { { self($0) } }

    /// Whether the running item was cancelled or has timed out.
    public var isCancelled: Bool { token.isCancelled }

    /// Calls `handler` once if the running item is cancelled or times out. Calls it immediately if
    /// this has already happened. The handler is never called after the item has ended by itself.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) { token.onCancel(handler) }
  }
}

extension SerialQueue.Done where Success == Void {
  /// Ends the item: calls the handlers that await it, then starts the next item.
  public func callAsFunction() { self(.success(())) }

  /// The handler as a closure without arguments.
  public var closure: @Sendable () -> Void { { self() } }
}

/// Ensures that one item is completed exactly once. This class does not depend on the type of the item's value, so that
/// no type is looked up at run time when an instance is made.
final class ItemCompletion: Sendable {
  let item: QueuedItem
  let storage: SerialQueueStorage
  private let isCalled = Atomic<Bool>(false)

  init(_ item: QueuedItem, in storage: SerialQueueStorage) {
    self.item = item
    self.storage = storage
  }

  deinit {
    guard !isCalled.load(ordering: .acquiring) else { return }
    // A job of the pool makes the report, since other code may hold a lock while it releases the
    // last reference.
    let (item, storage) = (item, storage)
    storage.runtime.pool.schedule {
      let running = storage.withLock { _ -> Span? in
        item.phase == .running ? item.extras?.span ?? Span.none : nil
      }
      guard let span = running else { return }
      let error = CompletionDropped(step: "\(item.place(in: storage.label))")
      storage.runtime.misuse("completion-dropped", error.description, of: span)
      item.end(with: error, in: storage)
    }
  }

  /// Notes a call, and reports it if it is not the first one.
  ///
  /// - Returns: whether it is the first one.
  func noteCall() -> Bool {
    let isFirst = !isCalled.exchange(true, ordering: .acquiringAndReleasing)
    if !isFirst {
      storage.runtime.misuse(
        "completed-twice",
        "“\(item.place(in: storage.label))” called its completion again; the second call was ignored: call it only once",
        of: LaneContext.current.span)
    }
    return isFirst
  }

  var isCancelled: Bool { storage.withLock { _ in item.traits.contains(.cancelled) } }

  func onCancel(_ handler: @escaping @Sendable () -> Void) {
    let isCancelled = storage.withLock { _ in
      if !item.traits.contains(.cancelled), item.phase == .running {
        item.ensuredExtras.cancelHandlers.append(handler)
      }
      return item.traits.contains(.cancelled)
    }
    if isCancelled { handler() }
  }
}
