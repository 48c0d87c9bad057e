internal import AsyncRuntime
internal import Synchronization

/// A run whose ready operations are in one list. It is used without workers, or with fewer places than operations. It
/// stops at the first failure.
///
/// The thread that ends an operation counts down its successors, one atomic counter each, and continues with those that
/// have become ready. It takes a lock only where places are limited.
final class ListRun: FlatRun {
  let core: FlatRunCore
  /// The number of operations that are ready or in flight. The thread that reaches zero concludes
  /// the run.
  private let open: Atomic<Int>
  private let isStopped = Atomic<Bool>(false)
  private let state: Locked<ListRunState>
  private let isBounded: Bool
  /// Whether each operation starts where the previous one ended, and not on a worker.
  private let isInline: Bool

  init(_ core: consuming FlatRunCore, width: Int) {
    let workers: Int
    switch core.placement {
    case .inline: (isInline, workers) = (true, 0)
    case .main: (isInline, workers) = (false, 1)
    case .pool, .scheduler: (isInline, workers) = (false, core.runtime.width)
    }
    isBounded = width < core.plan.count
    state = Locked(ListRunState(width: isBounded ? max(width, 1) : .max, workers: workers))
    open = Atomic(core.plan.roots.count)
    self.core = core
  }

  // MARK: Starting

  /// Starts the operations without predecessors.
  func start() {
    guard core.plan.count > 0 else { return core.conclude(nil) }
    var roots = ReadyList()
    for root in core.plan.roots { roots.append(root, links) }
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
      // Operations that start with the run all start together, even if one of them fails immediately.
      var together = areRoots ? ready.count : 0
      while let operation = ready.popFirst(links) {
        together -= 1
        if begin(operation, evenIfStopped: together >= 0) {
          ready.append(readyInline(after: operation), links)
        }
      }
    }
  }

  /// - Parameter operation: the operation that left the only place to the first operation of the first
  ///   worker; -1 if there is none.
  private func wake(_ workers: Int, after operation: Int32 = -1) {
    for worker in 0..<workers {
      core.placement.run(on: core.runtime) { self.work(after: worker == 0 ? operation : -1) }
    }
  }

  /// The body of a worker: starts one operation after another until it finds none.
  ///
  /// - Parameter operation: the operation whose place the first one takes; -1 if there is none.
  private func work(after operation: Int32) {
    var (isWoken, before) = (true, operation)
    while let first = state.withLock({ $0.takeOne(links, asWokenWorker: isWoken) }) {
      isWoken = false
      var operation = first
      while begin(operation, evenIfStopped: false, after: before),
        let (next, wasFull) = nextOfWorker(after: operation)
      {
        before = leaver(operation, wasFull)
        operation = next
      }
      before = -1
    }
  }

  /// Starts the operation on the calling thread, unless the run has stopped.
  ///
  /// - Parameter other: the operation whose place it takes; -1 if there is none.
  /// - Returns: whether it has ended by now.
  private func begin(
    _ operation: Int32, evenIfStopped: Bool, after other: Int32 = -1
  ) -> Bool {
    let isCancelled = core.cancellation.isCancelled
    if isCancelled { stop(CancellationError()) }
    if isCancelled || !evenIfStopped && isStopped.load(ordering: .acquiring) {
      leave(1)
      return false
    }
    core.passPlace(from: other, to: operation)
    return execute(operation)
  }

  private func execute(_ operation: Int32) -> Bool {
    var failure: (any Error)?
    core.markBegun(operation)
    defer { if let failure { stop(failure) } }
    return core.execute(operation, for: self, failure: &failure)
  }

  // MARK: Ending

  func end(_ operation: Int32, _ failure: (any Error)?) {
    if let failure { stop(failure) }
    if core.markEnded(operation, failure) { ended(operation) }
  }

  /// Continues after an operation that was started earlier has ended on the calling thread, which is not a worker of
  /// the run.
  private func ended(_ operation: Int32) {
    if isInline { return startInline(readyInline(after: operation)) }
    let ready = successors(readyAfter: operation)
    guard !ready.isEmpty || isBounded else { return leave(1) }
    let (wasFull, refused, workers) = state.withLock { shared in
      let wasFull = isBounded && shared.leavePlace()
      return (wasFull, shared.add(ready, links), shared.wake())
    }
    leave((ready.isEmpty ? 1 : 0) + refused)
    wake(workers, after: leaver(operation, wasFull))
  }

  /// The operations that may start after an operation has ended. The caller starts them in order.
  private func readyInline(after operation: Int32) -> ReadyList {
    let ready = successors(readyAfter: operation)
    guard isBounded else {
      if ready.isEmpty { leave(1) }
      return ready
    }
    let (wasFull, refused, taken) = state.withLock { shared in
      let wasFull = shared.leavePlace()
      return (wasFull, shared.add(ready, links), shared.take(links))
    }
    leave((ready.isEmpty ? 1 : 0) + refused)
    if wasFull, let trace = core.trace {
      for other in taken.all(links) { trace.passPlace(from: operation, to: other, core.plan) }
    }
    return taken
  }

  /// - Returns: the operation, if it left its place to the next one and the run is traced; otherwise -1.
  private func leaver(_ operation: Int32, _ wasFull: Bool) -> Int32 {
    wasFull && core.trace != nil ? operation : -1
  }

  /// The operation that a worker itself starts next, after an operation that it started has ended.
  ///
  /// - Returns: the operation, and whether no other place was free than the one just freed.
  private func nextOfWorker(after operation: Int32) -> (next: Int32, wasFull: Bool)? {
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
      return (next, false)
    }
    let (wasFull, refused, next, workers) = state.withLock { shared in
      let wasFull = shared.leavePlace()
      return (wasFull, shared.add(ready, links), shared.takeOne(links), shared.wake())
    }
    leave((ready.isEmpty ? 1 : 0) + refused)
    wake(workers)
    return next.map { ($0, wasFull) }
  }

  /// Counts down the successors of an operation that has ended.
  ///
  /// - Returns: the successors that are now ready. They count as open in place of the ended operation. If there are
  ///   none, the ended operation still counts as open.
  private func successors(readyAfter operation: Int32) -> ReadyList {
    var ready = ReadyList()
    guard !isStopped.load(ordering: .acquiring) else { return ready }
    for successor in core.plan.successors(of: operation) where core.isReady(successor) {
      ready.append(successor, links)
    }
    if ready.count > 1 { open.add(ready.count - 1, ordering: .relaxed) }
    return ready
  }

  /// Stops the run: nothing more becomes ready, and waiting operations never start.
  private func stop(_ error: any Error) {
    let reason = StopReason(error: error, isLate: core.cancellation.isCancelled)
    isStopped.store(true, ordering: .releasing)
    leave(state.withLock { $0.stop(reason) })
  }

  private func leave(_ operations: Int) {
    guard operations > 0 else { return }
    let left = open.subtract(operations, ordering: .acquiringAndReleasing).newValue
    guard left == 0 else { return }
    var reason = state.withLock { $0.stopReason }
    if reason?.isLate == true { reason?.hasLeftSome = core.hasLeftSome }
    core.conclude(reason?.outcome)
  }
}
