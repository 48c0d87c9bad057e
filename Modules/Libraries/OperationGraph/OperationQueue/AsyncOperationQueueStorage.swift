internal import AsyncRuntime

/// A queue of operations behind its lock. It carries out the decisions of its state after releasing
/// the lock.
final class AsyncOperationQueueStorage: Sendable {
  let label: String
  let runtime: any Runtime
  private let placement: Placement
  private let state: Locked<AsyncOperationQueueState>

  init(label: String, width: Int, placement: Placement, runtime: any Runtime) {
    self.label = label
    self.placement = placement
    self.runtime = runtime
    state = Locked(AsyncOperationQueueState(width: max(width, 1)))
  }

  var width: Int {
    get { state.withLock { $0.width } }
    set {
      state.withLock { $0.width = max(newValue, 1) }
      startReady()
    }
  }

  var isSuspended: Bool {
    get { state.withLock { $0.isSuspended } }
    set {
      state.withLock { $0.isSuspended = newValue }
      startReady()
    }
  }

  var count: Int { state.withLock { $0.count } }
  var operations: [AsyncOperation] { state.withLock { $0.operations } }
  var holdersOfAllPlaces: [AsyncOperation]? { state.withLock { $0.holdersOfAllPlaces } }

  // MARK: Adding

  /// Adds all operations or none. It starts none of them before all are added.
  func add(_ operations: [AsyncOperation], isBarrier: Bool) throws(AsyncOperationError) {
    var taken: [AsyncOperation] = []
    do throws(AsyncOperationError) {
      for operation in operations {
        guard operation.state.withLock({ $0.reserve() }) else {
          throw .alreadyEnqueued(operation.name)
        }
        taken.append(operation)
        let before = state.withLock { $0.add(operation, isBarrier: isBarrier) }
        // An operation that was cancelled meanwhile no longer needs to wait.
        for other in before where !operation.isFinished {
          try operation.addDependency(other, requires: .end)
        }
      }
    } catch {
      for operation in taken.reversed() { takeBack(operation) }
      throw error
    }
    for operation in operations {
      state.withLock { $0.settle(operation) }
      operation.state.withLock { $0.settle(in: .queue(self)) }
      // The operation may have been cancelled meanwhile, and so have ended.
      if operation.isFinished { finished(operation) } else { operation.evaluate() }
    }
  }

  /// Removes an operation whose addition failed.
  private func takeBack(_ operation: AsyncOperation) {
    let (before, waiters) = state.withLock { $0.takeBack(operation) }
    for other in before { operation.removeDependency(other) }
    operation.state.withLock { $0.unreserve() }
    for waiter in waiters { waiter.resume?(.continues) }
  }

  // MARK: Starting and ending

  func becameReady(_ operation: AsyncOperation) {
    state.withLock { $0.becameReady(operation) }
    startReady()
  }

  func finished(_ operation: AsyncOperation) {
    let waiters = state.withLock { $0.remove(operation) }
    startReady()
    for waiter in waiters { waiter.resume?(.continues) }
  }

  private func startReady() {
    while let operation = state.withLock({ $0.next() }) {
      placement.run(on: runtime) { [self] in
        if !operation.begin(on: runtime) {
          state.withLock { $0.didNotBegin(operation) }
          operation.evaluate()
          startReady()
        }
      }
    }
  }

  // MARK: Waiting

  /// Suspends until the queue is empty.
  func waitUntilEmpty() async throws { try await state.waitUntilEmpty() }
}
