internal import Synchronization

/// One run of a graph without options: it starts each operation when those before it have ended, as far as
/// there are places and workers, and stops at the first failure.
///
/// Who ends an operation counts down its successors, one atomic counter each, and goes on with those that
/// have become ready. A lock is taken only where more is ready than one worker can start, or where
/// places are limited; neither clock nor allocation is needed on the way.
///
/// Safe to share: `cells` are atomic; `links` belong to whoever holds the list they are part of, which
/// is handed on under the lock. `completion` is called once, by whoever ends the last operation.
final class FlatRun: OperationHost, @unchecked Sendable {
  let table: OperationTable
  let plan: GraphPlan
  let values: RunValues
  let placement: Placement
  let runtime: any Runtime
  private let cancellation: Cancellation
  private let completion: @Sendable (Result<GraphResult, any Error>) -> Void

  /// For each operation: how many it still waits for, and then how far it has come.
  private let cells: UnsafeMutablePointer<Atomic<Int32>>
  private let links: ReadyList.Links
  /// How many operations are ready or in flight. Who brings it to zero concludes the run.
  private let open: Atomic<Int>
  private let isStopped = Atomic<Bool>(false)
  private let state: Locked<FlatRunState>
  private let isBounded: Bool
  /// Whether operations start where the one before them ended, and not on workers.
  private let isInline: Bool

  /// - Parameters:
  ///   - values: those of the inputs are there.
  init(
    _ table: OperationTable, _ plan: GraphPlan, _ values: RunValues, width: Int,
    on placement: Placement, runtime: any Runtime, cancellation: Cancellation,
    completion: @escaping @Sendable (Result<GraphResult, any Error>) -> Void
  ) {
    self.table = table
    self.plan = plan
    self.values = values
    self.placement = placement
    self.runtime = runtime
    self.cancellation = cancellation
    self.completion = completion
    let workers: Int
    switch placement {
    case .inline: (isInline, workers) = (true, 0)
    case .main: (isInline, workers) = (false, 1)
    case .pool, .scheduler: (isInline, workers) = (false, runtime.width)
    }
    isBounded = width < plan.count
    state = Locked(FlatRunState(width: isBounded ? max(width, 1) : .max, workers: workers))
    open = Atomic(plan.rootCount)
    cells = .allocate(capacity: plan.count)
    links = .allocate(capacity: plan.count)
    for index in 0..<plan.count {
      let waiting = plan.hasDependencies ? plan.predecessorCounts[index] : 0
      (cells + index).initialize(to: Atomic(waiting))
    }
  }

  deinit {
    cells.deinitialize(count: plan.count)
    cells.deallocate()
    links.deallocate()
  }

  func cancellation(of operation: Int32) -> Cancellation { cancellation }

  /// An operation that has ended before another one starts has succeeded: or else nothing would start.
  func ending(of operation: Int32) -> Ending { .succeeded }

  /// All operations that were started have ended: with a value each, or else there is a failure.
  private func conclude(_ failure: (any Error)?) {
    completion(failure.map { .failure($0) } ?? .success(GraphResult(table, values)))
  }

  // MARK: Starting

  /// Starts the operations that wait for none.
  func start() {
    guard plan.count > 0 else { return conclude(nil) }
    var roots = ReadyList()
    for index in 0..<Int32(plan.count)
    where !plan.hasDependencies || plan.predecessorCounts[Int(index)] == 0 {
      roots.append(index, links)
    }
    guard isInline else {
      let (_, workers) = state.withLock { ($0.add(roots, links), $0.wake()) }
      return wake(workers)
    }
    if isBounded { (_, roots) = state.withLock { ($0.add(roots, links), $0.take(links)) } }
    startInline(roots, areRoots: true)
  }

  private func startInline(_ ready: ReadyList, areRoots: Bool = false) {
    guard !ready.isEmpty else { return }
    LaneContext.current.perform { [self] in
      var ready = ready
      // Those that start with the run do so all together, even if one of them fails at once.
      var together = areRoots ? ready.count : 0
      while let operation = ready.popFirst(links) {
        together -= 1
        if begin(operation, evenIfStopped: together >= 0) {
          ready.append(readyInline(after: operation), links)
        }
      }
    }
  }

  private func wake(_ workers: Int) {
    for _ in 0..<workers { placement.run(on: runtime) { self.work() } }
  }

  /// What a worker does: it starts one operation after another until it finds none.
  private func work() {
    var isWoken = true
    while let first = state.withLock({ $0.takeOne(links, asWokenWorker: isWoken) }) {
      isWoken = false
      var operation = first
      while begin(operation, evenIfStopped: false), let next = nextOfWorker(after: operation) {
        operation = next
      }
    }
  }

  /// Starts the operation on the calling thread, unless nothing is to start any more.
  ///
  /// - Returns: whether it has ended by now.
  private func begin(_ operation: Int32, evenIfStopped: Bool) -> Bool {
    let isCancelled = cancellation.isCancelled
    if isCancelled { stop(CancellationError()) }
    if isCancelled || !evenIfStopped && isStopped.load(ordering: .acquiring) {
      leave(1)
      return false
    }
    return execute(operation)
  }

  /// - Returns: whether the operation has ended by now; if not, `end` ends it later.
  private func execute(_ operation: Int32) -> Bool {
    switch table.works[Int(operation)] {
    case .plain(let body):
      do { try body() } catch { stop(error) }
      return true
    case .function(let body):
      do { try body(OperationFrame(host: self, values: values.places)) } catch { stop(error) }
      return true
    case .starting(let body):
      body(
        OperationFrame(host: self, values: values.places), OperationToken(of: operation, in: self))
      return hasEnded(whenReturned: operation)
    }
  }

  // MARK: Ending

  func end(_ operation: Int32, _ failure: (any Error)?) {
    if let failure { stop(failure) }
    if markEnded(operation) { ended(operation) }
  }

  /// The operation, started earlier, has ended on the calling thread, which is no worker of the run.
  private func ended(_ operation: Int32) {
    if isInline { return startInline(readyInline(after: operation)) }
    let ready = successors(readyAfter: operation)
    guard !ready.isEmpty || isBounded else { return leave(1) }
    let (refused, workers) = state.withLock { shared in
      if isBounded { shared.leavePlace() }
      return (shared.add(ready, links), shared.wake())
    }
    leave((ready.isEmpty ? 1 : 0) + refused)
    wake(workers)
  }

  /// An operation has ended: what may start now, for the caller to start in order.
  private func readyInline(after operation: Int32) -> ReadyList {
    let ready = successors(readyAfter: operation)
    guard isBounded else {
      if ready.isEmpty { leave(1) }
      return ready
    }
    let (refused, taken) = state.withLock { shared in
      shared.leavePlace()
      return (shared.add(ready, links), shared.take(links))
    }
    leave((ready.isEmpty ? 1 : 0) + refused)
    return taken
  }

  /// An operation that a worker started has ended: what the worker itself starts next.
  private func nextOfWorker(after operation: Int32) -> Int32? {
    var ready = successors(readyAfter: operation)
    guard isBounded else {
      guard let next = ready.popFirst(links) else {
        leave(1)
        return nil
      }
      if !ready.isEmpty {
        let (refused, workers) = state.withLock { ($0.add(ready, links), $0.wake()) }
        leave(refused)
        wake(workers)
      }
      return next
    }
    let (refused, next, workers) = state.withLock { shared in
      shared.leavePlace()
      return (shared.add(ready, links), shared.takeOne(links), shared.wake())
    }
    leave((ready.isEmpty ? 1 : 0) + refused)
    wake(workers)
    return next
  }

  /// Counts down the successors of an operation that has ended.
  ///
  /// - Returns: those that wait for none any more. They are counted as open in place of the one that has
  ///   ended; if there are none, that one still is.
  private func successors(readyAfter operation: Int32) -> ReadyList {
    var ready = ReadyList()
    guard plan.hasDependencies, !isStopped.load(ordering: .acquiring) else { return ready }
    let range =
      Int(plan.successorStarts[Int(operation)])..<Int(plan.successorStarts[Int(operation) + 1])
    for position in range {
      let successor = plan.successors[position]
      let waiting = cells[Int(successor)].subtract(1, ordering: .acquiringAndReleasing).newValue
      if waiting == 0 { ready.append(successor, links) }
    }
    if ready.count > 1 { open.add(ready.count - 1, ordering: .relaxed) }
    return ready
  }

  /// Lets nothing more become ready, and what waits never start.
  private func stop(_ reason: any Error) {
    isStopped.store(true, ordering: .releasing)
    leave(state.withLock { $0.stop(reason) })
  }

  private func leave(_ operations: Int) {
    guard operations > 0 else { return }
    let left = open.subtract(operations, ordering: .acquiringAndReleasing).newValue
    if left == 0 { conclude(state.withLock { $0.failure }) }
  }

  // MARK: How far an operation has come

  /// What a cell holds once its operation waits for no other.
  private enum Progress {
    static let begun: Int32 = 0
    /// Begun, and the code that began it has returned.
    static let returned: Int32 = -1
    static let ended: Int32 = -2
  }

  /// The code that began the operation has returned.
  ///
  /// - Returns: whether the operation had ended by then; if not, who ends it goes on from there.
  private func hasEnded(whenReturned operation: Int32) -> Bool {
    !cells[Int(operation)].compareExchange(
      expected: Progress.begun, desired: Progress.returned, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// The operation has come to its end.
  ///
  /// - Returns: whether the code that began it had returned by then, so that the caller is to go on.
  private func markEnded(_ operation: Int32) -> Bool {
    cells[Int(operation)].exchange(Progress.ended, ordering: .acquiringAndReleasing)
      == Progress.returned
  }
}
