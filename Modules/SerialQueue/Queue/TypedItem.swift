/// A piece of work in a serial queue, with what becomes of it.
class TypedItem<Success: Sendable>: QueuedItem, @unchecked Sendable {
  // Safe to share: see `QueuedItem`.
  typealias Outcome = Result<Success, any Error>
  typealias Listener = @Sendable (Outcome) -> Void

  /// Final as soon as its phase is `ended`. Guarded by the lock.
  @exclusivity(unchecked) final var result: Outcome?
  @exclusivity(unchecked) private final var listeners: [Listener]?

  /// Those who listen, who are from now on to be told by the caller. Under the lock.
  final func takeListeners() -> [Listener] {
    traits.remove(.awaited)
    return listeners.take() ?? []
  }

  final override func tellListeners(in storage: SerialQueueStorage) {
    let listeners = storage.withLock { _ in takeListeners() }
    // It does not change any more.
    guard let result else { return }
    for listener in listeners { listener(result) }
  }

  final override func fail(_ error: any Error, in storage: SerialQueueStorage) {
    dropWork()
    let listeners = storage.withLock { _ in
      result = .failure(error)
      phase = .ended
      return takeListeners()
    }
    for listener in listeners { listener(.failure(error)) }
  }

  /// Lets go of work that will never run.
  func dropWork() {}

  /// Tells `listener` once, when the item has ended.
  final func listen(in storage: SerialQueueStorage, _ listener: @escaping Listener) {
    let result = storage.withLock { _ in outcome(orKeep: listener) }
    if let result { listener(result) }
  }

  private func outcome(orKeep listener: @escaping Listener) -> Outcome? {
    if phase == .ended, let result { return result }
    if listeners?.append(listener) == nil { listeners = [listener] }
    traits.insert(.awaited)
    return nil
  }
}

/// A synchronous function without a value: the cheapest item.
final class PlainItem: TypedItem<Void>, @unchecked Sendable {
  // Safe to share: see `QueuedItem`.
  @exclusivity(unchecked) private var work: (@Sendable () -> Void)?

  init(_ work: consuming @escaping @Sendable () -> Void, site: SourceSite) {
    self.work = work
    super.init(.plain, site: site)
    // Unless it fails, which it can only without having run to its end.
    result = .success(())
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

  override func start(in storage: SerialQueueStorage) {
    guard let work else { return }
    self.work = nil
    work(SerialQueue.Done(CompletionToken(self, in: storage)))
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

extension Result {
  /// The failure, if it is one.
  var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
