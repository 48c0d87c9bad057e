public import AsyncRuntime

/// Runs asynchronous operations as soon as what they depend on has ended, so many at once: in the shape of
/// `NSOperationQueue`.
///
/// ```swift
/// let queue = AsyncOperationQueue("pages", maxConcurrentOperationCount: 5)
/// let page = queue.addOperation("page") { try await download(url) }
/// try queue.addBarrier(AsyncOperation("index") { try index() })
/// try await queue.waitUntilFinished()
/// ```
///
/// - Ready operations start by priority, and of one in the order in which they became ready. An operation holds its
///   place until it has ended, not until its function has returned; and it holds no thread.
/// - A suspended queue starts nothing; what runs goes on. What is cancelled ends all the same: after
///   `cancelAllOperations()` a suspended queue empties. Foundation's keeps them.
/// - It lives until its operations have ended; nobody needs to hold it, unless it is suspended.
/// - No thread waits, and no closure runs under a lock. A million operations that end because of each other
///   need no stack.
///
/// The `trace` of its runtime is told of misuse alone: unlike an ``OperationGraph`` it makes no spans of itself and
/// its operations, which under a pattern such as `operations` are steps that the pattern tells of.
public final class AsyncOperationQueue: Sendable {
  let storage: AsyncOperationQueueStorage

  /// - Parameters:
  ///   - label: what reports call it.
  ///   - maxConcurrentOperationCount: how many may be executing at once; below 1 counts as 1.
  ///   - placement: where operations start; `.inline` starts one on the lane that made it ready. Asynchronous
  ///     functions run on the pool.
  ///   - runtime: where time and threads come from.
  public init(
    _ label: String = "", maxConcurrentOperationCount: Int = .max, on placement: Placement = .pool,
    runtime: any Runtime = LiveRuntime.shared
  ) {
    storage = AsyncOperationQueueStorage(
      label: label, width: maxConcurrentOperationCount, placement: placement, runtime: runtime)
  }

  /// How many may be executing at once. If it is made less, those that run may end first.
  public var maxConcurrentOperationCount: Int {
    get { storage.width }
    set { storage.width = newValue }
  }

  /// Whether nothing more starts.
  public var isSuspended: Bool {
    get { storage.isSuspended }
    set { storage.isSuspended = newValue }
  }

  /// How many are in it that have not ended. Another thread may change it at once.
  public var operationCount: Int { storage.count }

  /// Those that have not ended, in the order in which they came.
  ///
  /// - Complexity: O(*n* log *n*).
  public var operations: [AsyncOperation] { storage.operations }

  // MARK: Coming

  /// Adds an operation.
  ///
  /// - Throws: as `addOperations(_:)`.
  public func addOperation(_ operation: AsyncOperation) throws(AsyncOperationError) {
    try addOperations([operation])
  }

  /// Adds several; none of them starts before all are in it.
  ///
  /// - Throws: ``AsyncOperationError/alreadyEnqueued(_:)`` if one is in a queue or was started;
  ///   ``AsyncOperationError/cycle(_:)`` if a barrier waits for one that depends on one of them. None is added
  ///   then.
  public func addOperations(_ operations: [AsyncOperation]) throws(AsyncOperationError) {
    try storage.add(operations, isBarrier: false)
  }

  /// Adds a synchronous function.
  @discardableResult
  public func addOperation(
    _ name: String = "", priority: TaskPriority = .medium,
    _ work: @escaping @Sendable () throws -> Void
  ) -> AsyncOperation {
    added(AsyncOperation(name, priority: priority, work))
  }

  /// Adds an asynchronous function.
  @discardableResult
  public func addOperation(
    _ name: String = "", priority: TaskPriority = .medium,
    _ work: @escaping @Sendable () async throws -> Void
  ) -> AsyncOperation {
    added(AsyncOperation(name, priority: priority, work))
  }

  /// Adds completion-handler work; it ends when it calls the `done` it gets.
  @discardableResult
  public func addOperation(
    _ name: String = "", priority: TaskPriority = .medium,
    _ work: @escaping @Sendable (_ done: AsyncOperation.Done) -> Void
  ) -> AsyncOperation {
    added(AsyncOperation(name, priority: priority, work))
  }

  private func added(_ operation: AsyncOperation) -> AsyncOperation {
    // A new one depends on nothing and nothing depends on it: there is nothing to refuse.
    try? addOperation(operation)
    return operation
  }

  /// Adds an operation that comes after all that are in the queue now, and before all that come later. How
  /// those ended does not matter.
  ///
  /// - Throws: as `addOperations(_:)`; a cycle if something in the queue depends on it.
  /// - Complexity: O(*n* log *n*) in the number of those in the queue.
  public func addBarrier(_ operation: AsyncOperation) throws(AsyncOperationError) {
    try storage.add([operation], isBarrier: true)
  }

  // MARK: At once

  /// Tells all operations that are in it to stop: see ``AsyncOperation/cancel()``.
  public func cancelAllOperations() {
    for operation in storage.operations { operation.cancel() }
  }

  /// Suspends until no operation is in it.
  ///
  /// - Throws: `CancellationError` as soon as the calling task is cancelled, and the operations go on;
  ///   ``AsyncOperationError/selfAwait(_:awaits:)`` inside an asynchronous operation of the queue.
  public func waitUntilFinished() async throws {
    if let caller = AsyncOperation.caller, caller.isIn(storage) {
      throw caller.refusal(of: "the end of all operations of its queue")
    }
    try await storage.waitUntilEmpty()
  }
}

extension AsyncOperation {
  fileprivate func isIn(_ queue: AsyncOperationQueueStorage) -> Bool {
    if case .queue(let home)? = state.withLock({ $0.home }) { home === queue } else { false }
  }
}
