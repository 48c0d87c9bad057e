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
      guard let progress = token.noteCall() else { return }
      // The token retains the item, so no further reference is counted.
      Unmanaged.passUnretained(token.item)._withUnsafeGuaranteedRef { item in
        token.storage.end(
          unsafeDowncast(item, to: TypedItem<Success>.self), result,
          hasReturned: progress.contains(.returned))
      }
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
  /// What has happened, in any order.
  struct Progress: OptionSet {
    let rawValue: UInt8

    /// The handler was called.
    static let called = Progress(rawValue: 1)
    /// The work has returned to the drainer that started it.
    static let returned = Progress(rawValue: 2)
  }

  let item: QueuedItem
  let storage: SerialQueueStorage
  private let progress = Atomic<UInt8>(0)

  init(_ item: consuming QueuedItem, in storage: SerialQueueStorage) {
    self.item = item
    self.storage = storage
  }

  deinit {
    guard !Progress(rawValue: progress.load(ordering: .acquiring)).contains(.called) else { return }
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

  /// Starts the work of the item.
  // Not inlined: the compiler would count a reference to the item.
  @inline(never)
  func start() { item.start(self) }

  /// Notes a call, and reports it if it is not the first one.
  ///
  /// - Returns: the progress before the call; nil if it is not the first one.
  func noteCall() -> Progress? {
    let earlier = note(.called)
    guard earlier.contains(.called) else { return earlier }
    storage.runtime.misuse(
      "completed-twice",
      "“\(item.place(in: storage.label))” called its completion again; the second call was ignored: call it only once",
      of: LaneContext.current.span)
    return nil
  }

  /// Notes that the work has returned to its drainer.
  ///
  /// The call and the return change the same word, so one of them sees the other. A call that sees the return ends the
  /// item without this drainer. Otherwise the drainer sees the call, and synchronizes with it through the lock.
  ///
  /// - Returns: whether the handler has not been called.
  func noteReturn() -> Bool { !note(.returned).contains(.called) }

  /// - Returns: the progress before.
  private func note(_ event: Progress) -> Progress {
    Progress(
      rawValue: progress.bitwiseOr(event.rawValue, ordering: .acquiringAndReleasing).oldValue)
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
