internal import AsyncRuntime
internal import Synchronization

/// A run of a graph without options. Nothing records the run. It stops at the first failure: it then passes over
/// operations without starting them.
///
/// The thread that ends an operation counts down its successors, one atomic counter each, and continues with the first
/// that is ready. This takes no lock, reads no clock and allocates nothing. Ready operations wait in a line behind a
/// lock only if the number of operations in flight has a limit that the workers do not enforce.
///
/// A worker owns its queue while its bit in `resting` is not set.
final class FlatRun: OperationHost {
  let core: FlatRunCore
  let placement: Placement
  let runtime: any Runtime
  let cancellation: Cancellation

  /// Whether each operation starts where the previous one ended, and not on a worker.
  private let isInline: Bool
  /// Whether ready operations wait in the line. If not, the workers limit the operations in flight, or nothing does.
  let hasLine: Bool
  let state: Locked<State>
  /// The ready operations of each worker.
  let queues: [WorkerQueue]
  let resting: RestingWorkers
  /// Whether a woken worker has not searched for operations yet. Only one worker wakes up at a time.
  let isWaking = Atomic<Bool>(false)
  /// The operations that became ready on threads that are not workers. They are a linked list that begins with the
  /// newest; -1 if there are none.
  let inbox = Atomic<Int32>(-1)

  /// The number of operations that have not ended. A worker subtracts the operations that it has ended when it rests.
  /// The thread that reaches zero ends the run.
  private let unfinished: Atomic<Int>
  private let isStopped = Atomic<Bool>(false)

  struct State {
    var line: PlaceLine
    var stopReason: StopReason?
  }

  /// - Parameter width: how many operations may be in flight.
  init(
    _ core: consuming FlatRunCore, width: Int, on placement: Placement, runtime: any Runtime,
    cancellation: Cancellation
  ) {
    let (count, hasStarting) = (core.plan.count, core.table.hasStarting)
    let isBounded = width < count
    var workers: Int
    switch placement {
    case .inline: (isInline, workers) = (true, 0)
    case .main: (isInline, workers) = (false, 1)
    case .pool, .scheduler: (isInline, workers) = (false, max(runtime.width, 1))
    }
    // An operation that ends outside the call that starts it leaves its worker, but keeps its place in the width.
    hasLine = isBounded && (isInline || hasStarting)
    if isBounded && !hasLine { workers = min(max(width, 1), workers) }
    workers = min(workers, count)
    state = Locked(State(line: PlaceLine(places: max(width, 1))))
    queues = (0..<workers).map { _ in WorkerQueue() }
    resting = RestingWorkers(count: workers)
    unfinished = Atomic(count)
    self.core = core
    self.placement = placement
    self.runtime = runtime
    self.cancellation = cancellation
  }

  /// Starts the operations without predecessors.
  func start() {
    guard core.plan.count > 0 else { return core.conclude(nil) }
    guard isInline else { return startWorkers() }
    let roots = ReadyList(core.plan.roots, core.links)
    startInline(hasLine ? exchange(roots, freeing: 0) : roots, together: true)
  }

  // MARK: Operations

  /// Starts the operation on the calling thread, or passes over it if the run has stopped.
  ///
  /// - Returns: whether it has ended by now.
  func begin(_ operation: Int32, evenIfStopped: Bool = false) -> Bool {
    if !evenIfStopped, isStopped.load(ordering: .acquiring) { return passOver() }
    if cancellation.isCancelled {
      stop(CancellationError())
      return passOver()
    }
    var failure: (any Error)?
    let hasEnded = core.perform(operation, for: self, failure: &failure)
    if let failure { stop(failure) }
    return hasEnded
  }

  private func passOver() -> Bool {
    state.withLock { $0.stopReason?.hasLeftSome = true }
    return true
  }

  func end(_ operation: Int32, _ failure: (any Error)?) {
    if let failure { stop(failure) }
    guard core.markEnded(operation) else { return }
    // This thread is not one of the workers.
    let ready = core.successors(readyAfter: operation)
    if leave(1) { return }
    guard isInline else { return share(ready) }
    startInline(hasLine ? exchange(ready, freeing: 1) : ready)
  }

  // MARK: Inline

  /// Starts operations on the calling lane, and those that become ready because of them, in order.
  ///
  /// - Parameter together: whether they all start, even if one of them fails immediately.
  private func startInline(_ ready: ReadyList, together: Bool = false) {
    guard !ready.isEmpty else { return }
    LaneContext.current.perform { [self] in
      var ready = ready
      var togetherCount = together ? ready.count : 0
      var ended = 0
      while let operation = ready.popFirst(core.links) {
        togetherCount -= 1
        guard begin(operation, evenIfStopped: togetherCount >= 0) else { continue }
        ended += 1
        let more = core.successors(readyAfter: operation)
        ready.append(hasLine ? exchange(more, freeing: 1) : more, core.links)
      }
      if ended > 0 { _ = leave(ended) }
    }
  }

  /// Adds ready operations to the line, and frees places. Returns the operations that get a place.
  private func exchange(_ ready: ReadyList, freeing places: Int) -> ReadyList {
    state.withLock { $0.line.exchange(ready, freeing: places, core.links) }
  }

  // MARK: The end

  private func stop(_ error: any Error) {
    let reason = StopReason(error: error, isLate: cancellation.isCancelled)
    state.withLock { state in
      if state.stopReason == nil { state.stopReason = reason }
    }
    isStopped.store(true, ordering: .releasing)
  }

  /// - Returns: whether these were the last operations.
  func leave(_ ended: Int) -> Bool {
    guard unfinished.subtract(ended, ordering: .acquiringAndReleasing).newValue == 0 else {
      return false
    }
    core.conclude(state.withLock { $0.stopReason }?.outcome)
    return true
  }

  // MARK: For operations

  var places: RunValues.Places { core.values.places }

  func name(of operation: Int32) -> String { core.table.name(of: operation) }

  func span(of operation: Int32) -> Span { .none }

  /// If an operation ended before another one starts, it succeeded. After a failure nothing would start.
  func ending(of operation: Int32) -> Ending { .succeeded }
}
