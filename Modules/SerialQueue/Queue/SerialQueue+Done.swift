internal import Synchronization

extension SerialQueue {
  /// How a piece of completion-handler work says that it has ended.
  ///
  /// The first call counts. A second one is reported as `completed-twice` and has no effect. Letting go
  /// of it uncalled is reported as `completion-dropped`, with the place where the work was enqueued, and
  /// fails the item with `CompletionDropped`; the queue goes on either way. It keeps the queue alive.
  public struct Done<Success: Sendable>: Sendable {
    private let token: CompletionToken<Success>

    init(_ token: CompletionToken<Success>) { self.token = token }

    /// Ends the item: whoever awaits it is told, then the next one starts.
    public func callAsFunction(_ result: Result<Success, any Error>) { token.complete(result) }

    /// Whether the item was cancelled while it runs.
    public var isCancelled: Bool { token.item.queue.withLock { _ in token.item.isCancelled } }

    /// Calls `handler` once if the item is cancelled while it runs, at once if it has been.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) { token.item.onCancel(handler) }
  }
}

extension SerialQueue.Done where Success == Void {
  /// Ends the item: whoever awaits it is told, then the next one starts.
  public func callAsFunction() { self(.success(())) }
}

/// Guards the completion of one item.
final class CompletionToken<Success: Sendable>: Sendable {
  let item: TypedItem<Success>
  private let isCalled = Atomic<Bool>(false)

  init(_ item: TypedItem<Success>) { self.item = item }

  deinit {
    guard !isCalled.load(ordering: .acquiring) else { return }
    // Somebody's lock may be held where the last reference goes: report from elsewhere.
    let item = item
    item.queue.runtime.pool.schedule {
      let error = CompletionDropped(step: item.description)
      item.queue.runtime.misuse("completion-dropped", error.description)
      item.complete(.failure(error))
    }
  }

  func complete(_ result: Result<Success, any Error>) {
    guard !isCalled.exchange(true, ordering: .acquiringAndReleasing) else {
      item.queue.runtime.misuse(
        "completed-twice",
        "“\(item.description)” called its completion again; the second call was dropped",
        of: LaneContext.current.span)
      return
    }
    item.complete(result)
  }
}

extension QueuedItem {
  /// Which item it is, for a report.
  var description: String {
    queue.label.isEmpty ? "item enqueued at \(site)" : "\(queue.label): item enqueued at \(site)"
  }
}

/// A place in the source.
struct SourceSite: Sendable, CustomStringConvertible {
  let file: StaticString
  let line: UInt

  var description: String { "\(file):\(line)" }
}
