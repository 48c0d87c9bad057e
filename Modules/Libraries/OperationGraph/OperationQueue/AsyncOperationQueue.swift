public import AsyncRuntime

/// Runs asynchronous operations, each as soon as its dependencies have ended. A limit applies to
/// the number that run at the same time. The queue is modelled on `NSOperationQueue`.
///
/// ```swift
/// let queue = AsyncOperationQueue("pages", maxConcurrentOperationCount: 5)
/// let page = queue.addOperation("page") { try await download(url) }
/// try queue.addBarrier(AsyncOperation("index") { try index() })
/// try await queue.waitUntilFinished()
/// ```
///
/// - Ready operations start by priority; at equal priority, in the order in which they became ready. An operation holds
///   its place until it has ended, not only until its function has returned. Holding a place does not block a thread.
/// - A suspended queue starts nothing, but running operations keep running. Cancelled operations still end, so a
///   suspended queue empties after `cancelAllOperations()`. Foundation's queue keeps them.
/// - The queue lives until its operations have ended. The caller need not keep a reference to it,
///   unless it is suspended.
/// - No thread is blocked, and no closure runs under a lock. A million operations that end because of each other do not
///   grow the stack.
///
/// The queue reports only misuse to the `trace` of its runtime. Unlike an ``OperationGraph``, it records no spans for
/// itself and its operations. Under a pattern such as `operations`, the operations are steps, and the pattern records
/// them.
public final class AsyncOperationQueue: Sendable {
  let runtime: any Runtime
  private let placement: Placement
  private let state: Locked<AsyncOperationQueueState>
  /// Held while operations are added, so that no other ones come after a barrier that is then refused. Its value has no
  /// meaning. `Void` has no size, and ThreadSanitizer takes the lock beside it for the value.
  private let addition = Locked(false)
  /// Its members are the operations in the queue.
  private let group: JoinGroupStorage

  /// - Parameters:
  ///   - label: its name in reports.
  ///   - maxConcurrentOperationCount: the number of operations that may execute at the same time;
  ///     below 1 counts as 1.
  ///   - placement: where operations start. `.inline` starts an operation on the lane that made it ready. Asynchronous
  ///     functions always run on the pool.
  ///   - runtime: the source of time and threads.
  public init(
    _ label: String = "", maxConcurrentOperationCount: Int = .max, on placement: Placement = .pool,
    runtime: any Runtime = LiveRuntime.shared
  ) {
    self.runtime = runtime
    self.placement = placement
    state = Locked(AsyncOperationQueueState(width: max(maxConcurrentOperationCount, 1)))
    group = JoinGroupStorage(label: label, runtime: runtime)
  }

  /// How many operations may execute at the same time. Lowering it does not stop operations that already run.
  public var maxConcurrentOperationCount: Int {
    get { state.withLock { $0.width } }
    set {
      state.withLock { $0.width = max(newValue, 1) }
      startReady()
    }
  }

  /// Whether the queue starts no further operations.
  public var isSuspended: Bool {
    get { state.withLock { $0.isSuspended } }
    set {
      state.withLock { $0.isSuspended = newValue }
      startReady()
    }
  }

  /// The number of operations in the queue that have not ended. Another thread may change it immediately.
  public var operationCount: Int { state.withLock { $0.count } }

  /// The operations that have not ended, in the order in which they were added.
  ///
  /// - Complexity: O(*n* log *n*).
  public var operations: [AsyncOperation] { state.withLock { $0.operations } }

  // MARK: Adding

  /// Adds an operation.
  ///
  /// - Throws: the same errors as `addOperations(_:)`.
  public func addOperation(_ operation: AsyncOperation) throws {
    try addOperations([operation])
  }

  /// Adds several operations. None of them starts before all are in the queue.
  ///
  /// - Throws: ``AsyncOperationError/alreadyEnqueued(_:)`` if one is in a queue or was started; an ``OperationCycle`` if
  ///   a barrier waits for an operation that depends on one of them. None is added then.
  public func addOperations(_ operations: [AsyncOperation]) throws {
    try add(operations, isBarrier: false)
  }

  /// Adds a synchronous function.
  @discardableResult
  public func addOperation(
    _ name: String = "", priority: Priority = .normal,
    _ work: @escaping @Sendable () throws -> Void
  ) -> AsyncOperation {
    added(AsyncOperation(name, priority: priority, work))
  }

  /// Adds an asynchronous function.
  @discardableResult
  public func addOperation(
    _ name: String = "", priority: Priority = .normal,
    _ work: @escaping @Sendable () async throws -> Void
  ) -> AsyncOperation {
    added(AsyncOperation(name, priority: priority, work))
  }

  /// Adds completion-handler work. It ends when it calls the `done` that it receives.
  @discardableResult
  public func addOperationWithCompletion(
    _ name: String = "", priority: Priority = .normal,
    _ work: @escaping @Sendable (_ done: OperationGraph.Done<Void>) -> Void
  ) -> AsyncOperation {
    added(.withCompletion(name, priority: priority, work))
  }

  private func added(_ operation: AsyncOperation) -> AsyncOperation {
    // This cannot throw: a new operation has no dependencies and no dependents.
    try? addOperation(operation)
    return operation
  }

  /// Adds an operation that comes after all operations now in the queue, and before all that are added later. How the
  /// earlier ones end does not matter.
  ///
  /// - Throws: the same errors as `addOperations(_:)`; a cycle if an operation in the queue depends on it.
  /// - Complexity: O(*n* log *n*) in the number of operations in the queue.
  public func addBarrier(_ operation: AsyncOperation) throws {
    try add([operation], isBarrier: true)
  }

  // MARK: All operations

  /// Cancels all operations in the queue: see ``AsyncOperation/cancel()``.
  public func cancelAllOperations() {
    for operation in operations { operation.cancel() }
  }

  /// Suspends until the queue is empty.
  ///
  /// - Throws: `CancellationError` as soon as the calling task is cancelled; the operations keep running.
  ///   ``AsyncOperationError/selfAwait(_:awaits:)`` if an asynchronous operation of the queue calls it.
  public func waitUntilFinished() async throws {
    if let caller = AsyncOperation.caller, caller.queue === self {
      throw caller.refusal(of: "the end of all operations of its queue")
    }
    try await group.waitUntilEmpty()
  }
}

extension AsyncOperationQueue {
  /// Adds all operations or none. It starts none of them before all are added.
  private func add(_ operations: [AsyncOperation], isBarrier: Bool) throws {
    var entered: [AsyncOperation] = []
    do {
      for operation in operations {
        guard operation.state.withLock({ $0.enter(self) }) else {
          throw AsyncOperationError.alreadyEnqueued(operation.name)
        }
        entered.append(operation)
      }
      for _ in operations { group.join() }
      try addition.withLock { _ in
        let before = state.withLock { $0.add(operations, isBarrier: isBarrier) }
        do {
          try Self.place(operations, after: before)
        } catch {
          state.withLock { $0.forgetBarriers(operations) }
          throw error
        }
      }
    } catch {
      for operation in entered {
        operation.update { $0.settle(in: nil) }
        finished(operation)
      }
      throw error
    }
    for operation in operations {
      operation.update { $0.settle(in: self) }
      if operation.isFinished { finished(operation) }
    }
  }

  /// Makes operations come after others: all of them or none.
  private static func place(_ operations: [AsyncOperation], after others: [AsyncOperation]) throws {
    var added: [(AsyncOperation, dependency: AsyncOperation)] = []
    do {
      // An operation that was cancelled and has ended before it was added waits for none.
      for operation in operations where !operation.isFinished {
        let known = Set(operation.dependencies)
        for other in others where !known.contains(other) {
          added.append((operation, other))
          try operation.addDependency(other, requires: .end)
        }
      }
    } catch {
      for (operation, dependency) in added { operation.removeDependency(dependency) }
      throw error
    }
  }

  var holdersOfAllPlaces: [AsyncOperation]? { state.withLock { $0.holdersOfAllPlaces } }

  func becameReady(_ operation: AsyncOperation) {
    state.withLock { $0.becameReady(operation) }
    startReady()
  }

  /// Removes an operation that has ended or could not be added, unless that has happened before.
  func finished(_ operation: AsyncOperation) {
    guard state.withLock({ $0.remove(operation) }) else { return }
    startReady()
    group.leaveMembership()
  }

  private func startReady() {
    while let operation = state.withLock({ $0.next() }) {
      placement.run(on: runtime) { [self] in
        if let work = operation.state.withLock({ $0.begin() }) { return work(operation) }
        state.withLock { $0.freePlace(of: operation) }
        operation.update { $0.didNotBegin() }
        startReady()
      }
    }
  }
}
