/// A piece of work in a serial queue, with its result.
@usableFromInline
class TypedItem<Success: Sendable>: QueuedItem, @unchecked Sendable {
  // Safe to share: see `QueuedItem`.
  typealias Outcome = Result<Success, any Error>
  typealias Handler = @Sendable (Outcome) -> Void

  /// The result, which never changes once the phase is `ended`. Guarded by the lock.
  @exclusivity(unchecked) final var result: Outcome?
  @exclusivity(unchecked) private final var handlers: [Handler]?

  /// Removes and returns the handlers, which the caller must then call. Called under the lock.
  final func takeHandlers() -> [Handler] {
    traits.remove(.awaited)
    return handlers.take() ?? []
  }

  final override func callHandlers(in storage: SerialQueueStorage) {
    let handlers = storage.withLock { _ in takeHandlers() }
    // The result can no longer change.
    guard let result else { return }
    storage.trace?.end(self, result.error, hasReturned: kind != .callback)
    for handler in handlers { handler(result) }
  }

  final override func end(with error: any Error, in storage: SerialQueueStorage) {
    storage.end(self, .failure(error), hasReturned: true)
  }

  final override func fail(_ error: any Error, in storage: SerialQueueStorage) {
    let handlers = storage.withLock { _ in
      result = .failure(error)
      phase = .ended
      return takeHandlers()
    }
    storage.trace?.end(self, error, hasReturned: false)
    for handler in handlers { handler(.failure(error)) }
  }

  /// Calls `handler` once, when the item has ended.
  final func listen(in storage: SerialQueueStorage, _ handler: @escaping Handler) {
    let result = storage.withLock { _ in outcome(orKeep: handler) }
    if let result { handler(result) }
  }

  private func outcome(orKeep handler: @escaping Handler) -> Outcome? {
    if phase == .ended, let result { return result }
    if handlers?.append(handler) == nil { handlers = [handler] }
    traits.insert(.awaited)
    return nil
  }
}

/// A synchronous function without a value: the item that costs least.
final class PlainItem: TypedItem<Void>, @unchecked Sendable {
  // Safe to share: see `QueuedItem`.
  @exclusivity(unchecked) private var work: (@Sendable () -> Void)?

  init(_ work: consuming @escaping @Sendable () -> Void, site: SourceSite) {
    self.work = work
    super.init(.plain, site: site)
    // The result stays unless the item fails. A failed item has not run to completion.
    result = .success(())
  }

  /// Takes a spare item, or makes a new one.
  static func make(
    _ work: consuming @escaping @Sendable () -> Void, site: SourceSite
  ) -> PlainItem {
    guard let spare = SpareItems.ofThread.take() else { return PlainItem(work, site: site) }
    let item = unsafeDowncast(spare.takeRetainedValue(), to: PlainItem.self)
    item.work = consume work
    item.site = site
    item.phase = .new
    item.slot = 0
    item.priority = .normal
    item.traits = []
    item.unlink()
    return item
  }

  func run() {
    guard let work = work.take() else { return }
    work()
  }

  override func dropWork() { work = nil }
}

/// A synchronous function.
final class SynchronousItem<Success: Sendable>: TypedItem<Success>, @unchecked Sendable {
  // Safe to share: see `QueuedItem`.
  private var work: (@Sendable () throws -> Success)?
  private var produced: Outcome?

  init(_ work: @escaping @Sendable () throws -> Success, site: SourceSite) {
    self.work = work
    super.init(.synchronous, site: site)
  }

  override func runSynchronously() {
    guard let work else { return }
    self.work = nil
    produced = Outcome { try work() }
  }

  override func conclude() -> (any Error)? {
    result = produced.take()
    return result?.error
  }

  override func dropWork() { work = nil }
}

/// Completion-handler work.
final class CallbackItem<Success: Sendable>: TypedItem<Success>, @unchecked Sendable {
  // Safe to share: see `QueuedItem`.
  private var work: (@Sendable (SerialQueue.Done<Success>) -> Void)?

  init(_ work: @escaping @Sendable (SerialQueue.Done<Success>) -> Void, site: SourceSite) {
    self.work = work
    super.init(.callback, site: site)
  }

  override func start(_ completion: ItemCompletion) {
    guard let work else { return }
    self.work = nil
    work(SerialQueue.Done(completion))
  }

  override func dropWork() { work = nil }
}

/// Completion-handler work without a value. Unlike an item with a value, it looks up no type at run time.
final class PlainCallbackItem: TypedItem<Void>, @unchecked Sendable {
  // Safe to share: see `QueuedItem`.
  @exclusivity(unchecked) private var work: (@Sendable (SerialQueue.Done<Void>) -> Void)?

  init(
    _ work: consuming @escaping @Sendable (SerialQueue.Done<Void>) -> Void, site: SourceSite
  ) {
    self.work = work
    super.init(.callback, site: site)
  }

  override func start(_ completion: ItemCompletion) {
    guard let work = work.take() else { return }
    work(SerialQueue.Done(completion))
  }

  override func dropWork() { work = nil }
}

/// An asynchronous function.
final class AsynchronousItem<Success: Sendable>: TypedItem<Success>, @unchecked Sendable {
  // Safe to share: see `QueuedItem`.
  private var work: (@Sendable () async throws -> Success)?
  private var produced: Outcome?
  private var runningCarrier: Carrier?

  init(_ work: @escaping @Sendable () async throws -> Success, site: SourceSite) {
    self.work = work
    super.init(.asynchronous, site: site)
  }

  override var carrier: Carrier? {
    get { runningCarrier }
    set { runningCarrier = newValue }
  }

  override func runAsynchronously() async {
    guard let work else { return }
    self.work = nil
    do {
      produced = .success(try await work())
    } catch {
      produced = .failure(error)
    }
  }

  override func conclude() -> (any Error)? {
    result = produced.take()
    return result?.error
  }

  override func dropWork() { work = nil }
}

/// An asynchronous function without a value. Unlike an item with a value, it looks up no type at run time and calls the
/// function directly.
final class PlainAsynchronousItem: TypedItem<Void>, @unchecked Sendable {
  // Safe to share: see `QueuedItem`.
  @exclusivity(unchecked) private var work: (@Sendable () async throws -> Void)?
  @exclusivity(unchecked) private var failure: (any Error)?
  @exclusivity(unchecked) private var runningCarrier: Carrier?

  init(_ work: consuming @escaping @Sendable () async throws -> Void, site: SourceSite) {
    self.work = work
    super.init(.asynchronous, site: site)
    // The result stays unless the item fails.
    result = .success(())
  }

  override var carrier: Carrier? {
    get { runningCarrier }
    set { runningCarrier = newValue }
  }

  override func runAsynchronously() async {
    guard let work = work.take() else { return }
    do {
      try await work()
    } catch {
      failure = error
    }
  }

  override func conclude() -> (any Error)? {
    guard let failure = failure.take() else { return nil }
    result = .failure(failure)
    return failure
  }

  override func dropWork() { work = nil }
}

extension Result {
  /// The error of a failure; nil for a success.
  var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
