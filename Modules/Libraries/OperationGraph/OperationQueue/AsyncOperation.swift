internal import AsyncRuntime
internal import Synchronization

/// Asynchronous work with a state, dependencies and an end of its own, in the shape of `NSOperation`.
///
/// ```swift
/// let fetch = AsyncOperation("fetch") { done in download(url) { done($0) } }
/// let parse = AsyncOperation("parse") { try index() }
/// try parse.addDependency(fetch)
/// let queue = AsyncOperationQueue(maxConcurrentOperationCount: 5)
/// try queue.addOperations([fetch, parse])
/// try await queue.waitUntilFinished()
/// ```
///
/// What is different from Foundation's:
///
/// - It ends when its work says so, with no states to override and nothing to observe. Asynchronous work in a
///   `BlockOperation` counts as done when the block returns.
/// - It ends with an ``Outcome``: a failure is told from a cancellation. What depends on one that did not
///   succeed does not run, unless it asked for the end alone.
/// - One that is cancelled before it began does not run, and ends when what it depends on has: what comes
///   after it never overtakes what comes before it. Foundation lets its dependents run while the root still runs.
/// - A dependency that would close a circle is refused, with the circle spelled out. Foundation waits for ever.
/// - `removeDependency` of one that has not finished lets it start. Foundation hangs.
/// - Waiting for an operation suspends a task and parks no thread; inside an operation, for what cannot end
///   before that one does, it throws. Foundation parks the thread for ever.
///
/// Each operation has a lock of its own, and what is to be done is done after it. For graphs that are known
/// beforehand, or that run more than once, ``OperationGraph`` costs a fraction of it, and tells the `trace` of its
/// runtime what it does; an operation tells it of misuse alone.
public final class AsyncOperation: Sendable {
  /// What reports call it.
  public let name: String
  /// Of several that are ready the one with the highest starts first, then the one that has been so longest.
  public let priority: TaskPriority
  /// What stops its work.
  let cancellation = Cancellation()
  let state: Locked<AsyncOperationState>
  /// The hash value of the task it runs in, which tells whether code runs in it.
  let taskIdentity = Atomic<Int>(0)

  /// How an operation ended.
  public enum Outcome: Sendable {
    case succeeded
    case failed(any Error)
    /// It was cancelled, or what it depends on was.
    case cancelled
    /// It did not run, since what it depends on did not succeed: its name.
    case skipped(because: String)
  }

  init(_ name: String, _ priority: TaskPriority, _ work: AsyncOperationState.Work) {
    self.name = name
    self.priority = priority
    state = Locked(AsyncOperationState(work))
  }

  /// A synchronous function; the operation ends when it returns or throws.
  public convenience init(
    _ name: String = "", priority: TaskPriority = .medium,
    _ work: @escaping @Sendable () throws -> Void
  ) {
    self.init(name, priority, .function(work))
  }

  /// An asynchronous function; the operation ends when it returns or throws. It runs on the pool, and
  /// cancelling the operation cancels its task.
  public convenience init(
    _ name: String = "", priority: TaskPriority = .medium,
    _ work: @escaping @Sendable () async throws -> Void
  ) {
    self.init(name, priority, .asynchronous(work))
  }

  /// Completion-handler work; the operation ends when it calls the `done` it gets.
  public convenience init(
    _ name: String = "", priority: TaskPriority = .medium,
    _ work: @escaping @Sendable (_ done: Done) -> Void
  ) {
    self.init(name, priority, .callback(work))
  }

  deinit {
    // A long chain that never ran needs no stack to go.
    var left = state.withLock { $0.takeDependencies() }
    while var next = left.popLast() {
      if isKnownUniquelyReferenced(&next) { left += next.state.withLock { $0.takeDependencies() } }
    }
  }

  // MARK: What it is at

  /// Whether all it depends on has finished. It may still wait for its turn, or not be in a queue.
  public var isReady: Bool { state.withLock { $0.isReady } }
  /// Whether its work has begun and not ended.
  public var isExecuting: Bool { state.withLock { $0.isExecuting } }
  /// Whether it has ended; then `outcome` says how.
  public var isFinished: Bool { outcome != nil }
  /// Whether somebody has cancelled it. It may have succeeded all the same.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }
  /// How it ended; nil before.
  public var outcome: Outcome? { state.withLock { $0.outcome } }

  /// Calls `handler` once when it has ended, at once if it has: on the thread where that was, before
  /// anything starts that depends on it. Of several the one that was added first comes first.
  public func onFinished(_ handler: @escaping @Sendable (Outcome) -> Void) {
    let outcome = state.withLock { $0.observe(handler) }
    if let outcome { handler(outcome) }
  }

  /// Tells it to stop.
  ///
  /// If it has not begun it never does, and ends as soon as what it depends on has finished, whether it is in a
  /// queue or not, and also in a suspended one. If it runs, its task or its `done` is told, and it ends when its
  /// work says so, however that is.
  public func cancel() {
    guard state.withLock({ $0.cancel() }) else { return }
    cancellation.cancel()
    evaluate()
  }
}
