public import AsyncRuntime

/// Asynchronous work with a state and dependencies, which ends explicitly. It is modelled on `NSOperation`.
///
/// ```swift
/// let fetch = AsyncOperation.withCompletion("fetch") { done in
///   download(url, completion: done.closure)
/// }
/// let parse = AsyncOperation("parse") { try index() }
/// try parse.addDependency(fetch)
/// let queue = AsyncOperationQueue(maxConcurrentOperationCount: 5)
/// try queue.addOperations([fetch, parse])
/// try await queue.waitUntilFinished()
/// ```
///
/// Differences from Foundation's operations:
///
/// - An operation ends when its work reports the end. There are no states to override or to observe. In Foundation,
///   asynchronous work in a `BlockOperation` counts as done when the block returns.
/// - Its outcome distinguishes a failure from a cancellation. If an operation does not succeed, its
///   dependents do not run, unless they require only its end.
/// - A cancelled operation that has not started does not run. It ends only when all its
///   dependencies have ended, so its dependents never overtake its dependencies. In Foundation, the
///   dependents run while the dependencies still run.
/// - A dependency that would close a cycle is rejected, with an error that lists the cycle. Foundation waits forever.
/// - Removing a dependency that has not finished, with `removeDependency`, lets the operation start. Foundation hangs.
/// - Waiting for an operation suspends a task and blocks no thread. If an operation awaits
///   something that cannot end before the operation itself, the await throws. Foundation blocks the
///   thread forever.
///
/// Each operation has its own lock, and effects run only after the lock is released. For graphs that are known in
/// advance, or that run more than once, ``OperationGraph`` costs a fraction of this. It also records its events in the
/// `trace` of its runtime, whereas an operation reports only misuse there.
public final class AsyncOperation: Sendable {
  /// Its name in reports.
  public let name: String
  /// The priority of the operation. Among ready operations, the one with the highest priority
  /// starts first. At equal priority, the one that has been ready longest starts first.
  public let priority: Priority
  /// Cancels its work.
  let cancellation = Cancellation()
  let state: Locked<AsyncOperationState>

  /// How an operation ended. It is skipped if a dependency whose success it requires fails or is skipped. It is cancelled
  /// if such a dependency is cancelled.
  public typealias Outcome = OperationGraph.Outcome<Void>

  private init(_ name: String, _ priority: Priority, _ work: @escaping AsyncOperationState.Work) {
    self.name = name
    self.priority = priority
    state = Locked(AsyncOperationState(work))
  }

  /// Makes an operation of a synchronous function. The operation ends when the function returns or throws.
  public convenience init(
    _ name: String = "", priority: Priority = .normal, _ work: @escaping @Sendable () throws -> Void
  ) {
    self.init(name, priority) { operation in
      var failure: (any Error)?
      do { try work() } catch { failure = error }
      operation.update { $0.end(Ending(failure)) }
    }
  }

  /// Makes an operation of an asynchronous function. The operation ends when the function returns or throws. The
  /// function runs on the pool, and cancelling the operation cancels its task.
  public convenience init(
    _ name: String = "", priority: Priority = .normal,
    _ work: @escaping @Sendable () async throws -> Void
  ) {
    self.init(name, priority) { operation in
      OperationToken(of: 0, in: operation).startTask { try await operation.runInTask(work) }
    }
  }

  /// Makes an operation of completion-handler work. The operation ends when the work calls the `done` that it receives.
  /// With a `CancellationError` it ends as cancelled.
  public static func withCompletion(
    _ name: String = "", priority: Priority = .normal,
    _ work: @escaping @Sendable (_ done: OperationGraph.Done<Void>) -> Void
  ) -> AsyncOperation {
    AsyncOperation(name, priority) { operation in
      work(OperationGraph.Done(OperationToken(of: 0, in: operation)))
    }
  }

  deinit {
    // This releases a long chain of operations that never ran, and does not grow the stack.
    var left = state.withLock { $0.takeDependencies() }
    while var next = left.popLast() {
      if isKnownUniquelyReferenced(&next) { left += next.state.withLock { $0.takeDependencies() } }
    }
  }

  // MARK: State

  /// Whether all its dependencies have ended, and the operation has neither started nor ended. It
  /// may still be queued, or not be in a queue.
  public var isReady: Bool { state.withLock { $0.isReady } }
  /// Whether its work has started and not ended.
  public var isExecuting: Bool { state.withLock { $0.isExecuting } }
  /// Whether the operation has ended. `outcome` then says how.
  public var isFinished: Bool { outcome != nil }
  /// Whether the operation was cancelled. It may have succeeded anyway.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }
  /// How the operation ended; nil before its end.
  public var outcome: Outcome? { state.withLock { $0.ending }.map { Outcome($0, value: ()) } }
  /// The name of the operation because of which this one was skipped; nil if it was not skipped.
  public var skipCause: String? { state.withLock { $0.skipCause } }

  /// Calls `handler` once when the operation has ended, or immediately if it already has. The call is made on the
  /// thread that ended the operation, before any dependent starts. Handlers are called in the order in which they were
  /// added.
  public func onCompletion(_ handler: @escaping @Sendable (Outcome) -> Void) {
    let ending = state.withLock { $0.observe { _, ending in handler(Outcome(ending, value: ())) } }
    if let ending { handler(Outcome(ending, value: ())) }
  }

  /// Cancels the operation.
  ///
  /// If the operation has not started, it never does. It ends as soon as all its dependencies have
  /// ended, even outside a queue or in a suspended one. If the operation is running, its task is
  /// cancelled or its `done` is notified. It then ends, in any way, when its work reports the end.
  public func cancel() {
    update { $0.cancel() }
    if isCancelled { cancellation.cancel() }
  }
}

/// Operations are equal if they are the same object.
extension AsyncOperation: Hashable {
  public static func == (one: AsyncOperation, other: AsyncOperation) -> Bool { one === other }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
