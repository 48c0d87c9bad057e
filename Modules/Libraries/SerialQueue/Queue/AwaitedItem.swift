internal import AsyncRuntime

/// A function that the queue runs for one task, which awaits its end in `SerialQueue.run`.
///
/// The function keeps its result itself. So nothing here depends on the type of the result, and the queue looks up no
/// type at run time.
@usableFromInline
final class AwaitedItem: QueuedItem, @unchecked Sendable {
  // Safe to share: see `QueuedItem`. The continuation is set before the queue sees the item. Only the code that ends
  // the item resumes the continuation, and an item ends once.
  private enum Work {
    case synchronous(() throws -> Void)
    case asynchronous(() async throws -> Void)
  }

  @exclusivity(unchecked) private var work: Work?
  @exclusivity(unchecked) private var failure: (any Error)?
  @exclusivity(unchecked) private var runningCarrier: Carrier?
  /// Resumed at the end of the item.
  @exclusivity(unchecked) var continuation: UnsafeContinuation<Void, any Error>?

  @usableFromInline
  init(file: StaticString, line: UInt, work: sending @escaping () throws -> Void) {
    self.work = .synchronous(work)
    super.init(.synchronous, site: SourceSite(file: file, line: line))
    traits.insert(.awaited)
  }

  @usableFromInline
  init(file: StaticString, line: UInt, work: sending @escaping () async throws -> Void) {
    self.work = .asynchronous(work)
    super.init(.asynchronous, site: SourceSite(file: file, line: line))
    traits.insert(.awaited)
  }

  override var carrier: Carrier? {
    get { runningCarrier }
    set { runningCarrier = newValue }
  }

  override func runSynchronously() {
    guard case .synchronous(let work)? = work.take() else { return }
    do {
      try work()
    } catch {
      failure = error
    }
  }

  override func runAsynchronously() async {
    guard case .asynchronous(let work)? = work.take() else { return }
    do {
      try await work()
    } catch {
      failure = error
    }
  }

  override func conclude() -> (any Error)? { failure }

  override func dropWork() { work = nil }

  override func fail(_ error: any Error, in storage: SerialQueueStorage) {
    storage.withLock { _ in phase = .ended }
    storage.trace?.end(self, error, hasReturned: false)
    continuation?.resume(throwing: error)
  }

  override func callHandlers(in storage: SerialQueueStorage) {
    storage.trace?.end(self, failure, hasReturned: true)
    if let failure { continuation?.resume(throwing: failure) } else { continuation?.resume() }
  }

  /// The result of the function. The function sets it, and the awaiting task reads it.
  @usableFromInline
  final class Value<Success>: @unchecked Sendable {
    // Safe to share: the task reads it only if the item has succeeded, and so after the function has set it.
    @exclusivity(unchecked) @usableFromInline var value: Success?

    @inlinable
    init() {}
  }
}
