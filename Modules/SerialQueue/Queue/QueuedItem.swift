/// A piece of work in a serial queue, whatever it yields.
///
/// Safe to share: everything that changes in it is guarded by the lock of its queue.
class QueuedItem: Ticketed, @unchecked Sendable {
  final let queue: SerialQueueStorage
  final let site: SourceSite
  final var ticket: UInt64 = 0
  final var isCancelled = false
  /// Who wants to be told that it is cancelled while it runs.
  final var cancelHandlers: [@Sendable () -> Void] = []

  init(queue: SerialQueueStorage, site: SourceSite) {
    self.queue = queue
    self.site = site
  }

  /// Runs the work. Called once, by the one who took it out of the queue.
  func start() {}

  /// It will never start. Called once, by the one who took it out of the queue.
  func abandon() {}

  /// Takes it out of the queue if it waits; tells it if it runs.
  final func cancel() {
    let (removed, handlers) = queue.withLock {
      state -> (SerialQueueStorage.State.Consequence?, [@Sendable () -> Void]) in
      if let (_, consequence) = state.remove(ticket: ticket) { return (consequence, []) }
      guard state.running === self else { return (nil, []) }
      return (nil, markCancelled())
    }
    if let removed {
      abandon()
      queue.perform(removed)
    }
    for handler in handlers { handler() }
  }

  /// - Returns: who is to be told, after the lock. Call it under the lock.
  final func markCancelled() -> [@Sendable () -> Void] {
    guard !isCancelled else { return [] }
    isCancelled = true
    defer { cancelHandlers = [] }
    return cancelHandlers
  }

  final func onCancel(_ handler: @escaping @Sendable () -> Void) {
    let isCancelled = queue.withLock { _ in
      if !self.isCancelled { cancelHandlers.append(handler) }
      return self.isCancelled
    }
    if isCancelled { handler() }
  }
}

/// A piece of work in a serial queue, with what becomes of it.
final class TypedItem<Success: Sendable>: QueuedItem, @unchecked Sendable {
  // Safe to share: see `QueuedItem`. `work` belongs to the one who took the item out of the queue.
  typealias Listener = @Sendable (Result<Success, any Error>) -> Void

  enum Work {
    case callback(@Sendable (SerialQueue.Done<Success>) -> Void)
    case asynchronous(@Sendable () async throws -> Success)
  }

  private enum Outcome {
    case open([Listener])
    case ended(Result<Success, any Error>)
  }

  private var work: Work?
  private var outcome = Outcome.open([])

  init(_ work: Work, queue: SerialQueueStorage, site: SourceSite) {
    self.work = work
    super.init(queue: queue, site: site)
  }

  override func start() {
    let done = SerialQueue.Done(CompletionToken(self))
    let work = self.work
    self.work = nil
    switch work {
    case .callback(let body)?:
      body(done)
    case .asynchronous(let body)?:
      let (runtime, span) = (queue.runtime, LaneContext.current.span)
      runtime.asynchronousBodyStarted(span)
      let task = Task(executorPreference: queue.executor) {
        let result: Result<Success, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        runtime.asynchronousBodyEnded(span)
        done(result)
      }
      onCancel { task.cancel() }
    case nil: break
    }
  }

  override func abandon() {
    work = nil
    for listener in end(.failure(CancellationError())) { listener(.failure(CancellationError())) }
  }

  /// The work has ended: those who listen are told, then the next item's turn comes.
  func complete(_ result: Result<Success, any Error>) {
    let listeners = end(result)
    for listener in listeners { listener(result) }
    let (consequence, handlers) = queue.withLock { state in
      defer { cancelHandlers = [] }
      // The handlers go after the lock: what they hold may run code of its own when it goes.
      return (state.finish(), cancelHandlers)
    }
    withExtendedLifetime(handlers) { queue.perform(consequence) }
  }

  private func end(_ result: Result<Success, any Error>) -> [Listener] {
    queue.withLock { _ in
      guard case .open(let listeners) = outcome else { return [] }
      outcome = .ended(result)
      return listeners
    }
  }

  /// Tells `listener` once, when the item has ended.
  func listen(_ listener: @escaping Listener) {
    let ended = queue.withLock { _ -> Result<Success, any Error>? in
      switch outcome {
      case .ended(let result): return result
      case .open(var listeners):
        outcome = .open([])
        listeners.append(listener)
        outcome = .open(listeners)
        return nil
      }
    }
    if let ended { listener(ended) }
  }
}
