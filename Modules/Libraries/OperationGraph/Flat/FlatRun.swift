internal import AsyncRuntime
internal import Synchronization

/// A run of a graph without options that nothing records. It stops at the first failure: it then passes over operations
/// without starting them.
///
/// The thread that ends an operation counts down its successors, one atomic counter each, and continues with the first
/// that is ready. This takes no lock, reads no clock and allocates nothing, with one exception: if the workers do not
/// limit the operations in flight, ready operations wait for a place in a line behind a lock.
///
/// Safe to share: `cells` are atomic. The entries of `links` belong to the thread that holds their list. A worker owns
/// its queue while its bit in `resting` is not set. The thread that ends the last operation calls `completion`, once.
final class FlatRun: OperationHost, @unchecked Sendable {
  private let graph: GraphStorage
  let plan: GraphPlan
  private let values: RunValues
  let placement: Placement
  let runtime: any Runtime
  let cancellation: Cancellation
  private let completion: @Sendable (Result<GraphResult, any Error>) -> Void

  /// For each operation: the number of predecessors that it still waits for, and later its progress.
  private let cells: UnsafeMutablePointer<Atomic<Int32>>
  let links: ReadyList.Links

  /// Whether each operation starts where the previous one ended, and not on a worker.
  let isInline: Bool
  /// The ready operations that wait for a place; nil if the workers limit the operations in flight, or nothing does.
  let line: Locked<PlaceLine>?
  /// The ready operations of each worker; empty if they are in the line, or if there are no workers.
  let queues: [WorkerQueue]
  let resting: RestingWorkers
  /// Whether a woken worker has not searched for operations yet. Only one worker wakes up at a time.
  let isWaking = Atomic<Bool>(false)
  /// The operations that became ready on threads that are no workers. They are a linked list that begins with the
  /// newest; -1 if there are none.
  let inbox = Atomic<Int32>(-1)

  /// The number of operations that have not ended. A worker subtracts the operations that it has ended when it rests.
  /// The thread that reaches zero ends the run.
  private let unfinished: Atomic<Int>
  private let isStopped = Atomic<Bool>(false)
  private let stopReason = Locked<StopReason?>(nil)

  /// - Parameters:
  ///   - values: must contain the values of the inputs.
  ///   - width: how many operations may be in flight.
  init(
    _ graph: GraphStorage, _ plan: GraphPlan, _ values: RunValues, width: Int,
    on placement: Placement, runtime: any Runtime, cancellation: Cancellation,
    completion: @escaping @Sendable (Result<GraphResult, any Error>) -> Void
  ) {
    self.graph = graph
    self.plan = plan
    self.values = values
    self.placement = placement
    self.runtime = runtime
    self.cancellation = cancellation
    self.completion = completion
    cells = .allocate(capacity: plan.count)
    links = .allocate(capacity: plan.count)
    if let counts = plan.predecessorCounts.baseAddress {
      // An atomic number has the same memory layout as a plain number.
      UnsafeMutableRawPointer(cells).copyMemory(
        from: counts, byteCount: plan.count * MemoryLayout<Int32>.stride)
    }
    unfinished = Atomic(plan.count)

    let isBounded = width < plan.count
    let width = max(width, 1)
    var workers: Int
    switch placement {
    case .inline: (isInline, workers) = (true, 0)
    case .main: (isInline, workers) = (false, 1)
    case .pool, .scheduler: (isInline, workers) = (false, max(runtime.width, 1))
    }
    // An operation that ends outside the call that starts it leaves its worker, but keeps its place in the width.
    let hasLine = isBounded && (isInline || graph.table.hasStarting)
    if isBounded && !hasLine { workers = min(width, workers) }
    workers = min(workers, plan.count)
    line = hasLine ? Locked(PlaceLine(places: width)) : nil
    queues = hasLine ? [] : (0..<workers).map { _ in WorkerQueue() }
    resting = RestingWorkers(count: workers)
  }

  deinit {
    cells.deallocate()
    links.deallocate()
  }

  /// Starts the operations without predecessors.
  func start() {
    guard plan.count > 0 else { return conclude() }
    guard isInline else { return startWorkers() }
    startInline(take(with: ReadyList(plan.roots, links), freeing: 0), together: true)
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
    let hasEnded = perform(operation, failure: &failure)
    if let failure { stop(failure) }
    return hasEnded
  }

  private func passOver() -> Bool {
    stopReason.withLock { $0?.hasLeftSome = true }
    return true
  }

  @inline(__always)
  private func perform(_ operation: Int32, failure: inout (any Error)?) -> Bool {
    switch graph.table.works[Int(operation)] {
    case .plain(let body):
      do { try body() } catch { failure = error }
      return true
    case .function(let body):
      do { try body(OperationFrame(host: self, values: places)) } catch { failure = error }
      return true
    case .starting(let body):
      cells[Int(operation)].store(Progress.begun, ordering: .relaxed)
      body(OperationFrame(host: self, values: places), OperationToken(of: operation, in: self))
      // If the operation has not ended yet, the thread that ends it continues.
      return !cells[Int(operation)].compareExchange(
        expected: Progress.begun, desired: Progress.returned, ordering: .acquiringAndReleasing
      ).exchanged
    }
  }

  func end(_ operation: Int32, _ failure: (any Error)?) {
    if let failure { stop(failure) }
    let before = cells[Int(operation)].exchange(Progress.ended, ordering: .acquiringAndReleasing)
    // If the code that started the operation has not returned yet, the thread that runs it continues.
    guard before == Progress.returned else { return }
    // This thread is not one of the workers.
    var ready = ReadyList()
    forEachReadySuccessor(of: operation) { ready.append($0, links) }
    if leave(1) { return }
    if isInline { startInline(take(with: ready, freeing: 1)) } else { share(ready) }
  }

  /// The values of the cell of an operation that has started and ends through its token.
  private enum Progress {
    static let begun: Int32 = 0
    /// It has started, and the code that started it has returned.
    static let returned: Int32 = -1
    static let ended: Int32 = -2
  }

  /// Counts down the successors of an operation that has ended, and calls `body` with each that waits for no other
  /// operation any more.
  @inline(__always)
  func forEachReadySuccessor(of operation: Int32, _ body: (Int32) -> Void) {
    for successor in plan.successors(of: operation) {
      // A successor with a single predecessor needs no counting.
      if plan.predecessorCounts[Int(successor)] == 1
        || cells[Int(successor)].subtract(1, ordering: .acquiringAndReleasing).newValue == 0
      {
        body(successor)
      }
    }
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
      while let operation = ready.popFirst(links) {
        togetherCount -= 1
        guard begin(operation, evenIfStopped: togetherCount >= 0) else { continue }
        ended += 1
        if line == nil {
          forEachReadySuccessor(of: operation) { ready.append($0, links) }
        } else {
          var more = ReadyList()
          forEachReadySuccessor(of: operation) { more.append($0, links) }
          ready.append(take(with: more, freeing: 1), links)
        }
      }
      if ended > 0 { _ = leave(ended) }
    }
  }

  /// The operations that have a place, after others have become ready or have left their places.
  private func take(with ready: ReadyList, freeing places: Int) -> ReadyList {
    guard let line else { return ready }
    return line.withLock { $0.exchange(ready, freeing: places, links) }
  }

  // MARK: The end

  private func stop(_ error: any Error) {
    let reason = StopReason(error: error, isLate: cancellation.isCancelled)
    stopReason.withLock { known in
      if known == nil { known = reason }
    }
    isStopped.store(true, ordering: .releasing)
  }

  /// - Returns: whether these were the last operations.
  func leave(_ ended: Int) -> Bool {
    guard unfinished.subtract(ended, ordering: .acquiringAndReleasing).newValue == 0 else {
      return false
    }
    conclude()
    return true
  }

  private func conclude() {
    let failure = stopReason.withLock { $0 }?.outcome
    completion(failure.map { .failure($0) } ?? .success(GraphResult(graph, values)))
  }

  // MARK: For operations

  var places: RunValues.Places { values.places }

  func name(of operation: Int32) -> String { graph.table.name(of: operation) }

  func span(of operation: Int32) -> Span { .none }

  /// If an operation ended before another one starts, it succeeded. After a failure nothing would start.
  func ending(of operation: Int32) -> Ending { .succeeded }
}
