internal import AsyncRuntime
internal import Synchronization

extension SerialQueue {
  /// How a piece of completion-handler work says that it has ended.
  ///
  /// The first call counts. A second one is reported as `completed-twice` and has no effect. Letting go
  /// of it uncalled is reported as `completion-dropped`, with the place where the work was enqueued, and
  /// fails the item with `CompletionDropped`; the queue goes on either way. If the time of the item was
  /// over before, neither a call nor letting go of it is a mistake, and has any effect. It keeps the
  /// queue's work going without the queue being held.
  public struct Done<Success: Sendable>: Sendable {
    private let token: ItemCompletion<Success>

    init(_ token: ItemCompletion<Success>) { self.token = token }

    /// Ends the item: whoever awaits it is told, then the next one starts.
    public func callAsFunction(_ result: Result<Success, any Error>) { token.complete(result) }

    /// Ends the item with what it yields: whoever awaits it is told, then the next one starts.
    public func callAsFunction(_ value: Success) { self(.success(value)) }

    /// Whether the item was cancelled while it runs, or its time was over.
    public var isCancelled: Bool { token.isCancelled }

    /// Calls `handler` once if the item is cancelled while it runs, or its time is over; at once if that
    /// has been. Never after the item has ended by itself.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) { token.onCancel(handler) }
  }
}

extension SerialQueue.Done where Success == Void {
  /// Ends the item: whoever awaits it is told, then the next one starts.
  public func callAsFunction() { self(.success(())) }
}

/// Guards the completion of one item.
final class ItemCompletion<Success: Sendable>: Sendable {
  private let item: TypedItem<Success>
  private let storage: SerialQueueStorage
  private let isCalled = Atomic<Bool>(false)

  init(_ item: TypedItem<Success>, in storage: SerialQueueStorage) {
    self.item = item
    self.storage = storage
  }

  deinit {
    guard !isCalled.load(ordering: .acquiring) else { return }
    // Somebody's lock may be held where the last reference goes: report from elsewhere.
    let (item, storage) = (item, storage)
    storage.runtime.pool.schedule {
      let running = storage.withLock { _ -> Span? in
        item.phase == .running ? item.extras?.span ?? Span.none : nil
      }
      guard let span = running else { return }
      let error = CompletionDropped(step: "\(item.place(in: storage.label))")
      storage.runtime.misuse("completion-dropped", error.description, of: span)
      storage.end(item, .failure(error))
    }
  }

  func complete(_ result: Result<Success, any Error>) {
    guard !isCalled.exchange(true, ordering: .acquiringAndReleasing) else {
      storage.runtime.misuse(
        "completed-twice",
        "“\(item.place(in: storage.label))” called its completion again; the second call was dropped",
        of: LaneContext.current.span)
      return
    }
    storage.end(item, result)
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
