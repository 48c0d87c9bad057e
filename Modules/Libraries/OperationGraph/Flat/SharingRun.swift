internal import AsyncRuntime
internal import Synchronization

/// A run on several workers. Each worker has its own queue of ready operations, and takes from
/// other queues when its own is empty. The run stops at the first failure: it then passes over
/// operations without starting them.
///
/// The thread that ends an operation counts down its successors, one atomic counter each, and continues with the first
/// that is ready. This takes no lock, reads no clock and allocates nothing. A worker is woken only for an operation
/// that another one cannot start itself.
///
/// Safe to share: a worker owns its queue while its bit in `resting` is not set.
final class SharingRun: FlatRun {
  let core: FlatRunCore
  private let queues: [WorkerQueue]
  private let resting: RestingWorkers
  /// Whether a woken worker has not searched for operations yet. Only one worker wakes up at a time.
  private let isWaking = Atomic<Bool>(false)
  /// The operations that became ready on other threads. They are a linked list that begins with the
  /// newest; -1 if there are none.
  private let inbox = Atomic<Int32>(-1)
  /// The number of operations that have not ended. A worker subtracts the operations that it has
  /// ended when it rests. The thread that reaches zero ends the run.
  private let unfinished: Atomic<Int>
  private let isStopped = Atomic<Bool>(false)
  private let stopReason = Locked<StopReason?>(nil)
  /// Whether the run is traced and has as many workers as places. Then a worker without an operation is a free place.
  private let isPlaceWorker: Bool

  /// - Parameters:
  ///   - width: how many operations may be in flight.
  ///   - workers: the maximum number of workers.
  init(_ core: consuming FlatRunCore, width: Int, workers: Int) {
    let count = core.plan.count
    let workers = max(min(workers, count), 1)
    isPlaceWorker = core.trace != nil && width < count && max(width, 1) <= workers
    queues = (0..<workers).map { _ in WorkerQueue() }
    resting = RestingWorkers(count: workers)
    unfinished = Atomic(count)
    self.core = core
  }

  /// Starts the operations without predecessors.
  func start() {
    guard core.plan.count > 0, let worker = resting.popFirst() else { return core.conclude(nil) }
    for root in core.plan.roots { queues[worker].append(root) }
    schedule(worker)
  }

  private func schedule(_ worker: Int) {
    core.placement.run(on: core.runtime) { self.work(as: worker) }
  }

  // MARK: Workers

  /// The body of a worker: starts one operation after another until it finds none.
  private func work(as first: Int) {
    var worker = first
    var isWoken = true
    while true {
      let queue = queues[worker]
      var ended = 0
      // The operation that left its place to the next one; -1 if there was none, or if other places
      // were free.
      var before: Int32 = -1
      while let found = next(of: queue) ?? search(for: worker) {
        if isWoken {
          isWoken = false
          isWaking.store(false, ordering: .sequentiallyConsistent)
        }
        if hasSurplus { wake() }
        var operation = found
        while begin(operation, after: before) {
          ended += 1
          before = isPlaceWorker && isFull ? operation : -1
          guard let next = settle(operation, in: queue) else { break }
          operation = next
        }
      }
      if isWoken {
        isWoken = false
        isWaking.store(false, ordering: .sequentiallyConsistent)
      }
      if ended > 0, leave(ended) { return }
      resting.insert(worker)
      // An operation may have become ready just before this worker rested, and may have woken no
      // worker.
      guard hasSurplus, let again = resting.popFirst() else { return }
      worker = again
    }
  }

  /// The first ready operation in the worker's own queue. Operations from other threads are added to the queue first.
  private func next(of queue: WorkerQueue) -> Int32? {
    if inbox.load(ordering: .relaxed) >= 0 { emptyInbox(into: queue) }
    return queue.popFirst()
  }

  /// Takes ready operations from another queue, and returns the first.
  private func search(for worker: Int) -> Int32? {
    for offset in 1..<max(queues.count, 1) {
      let other = queues[(worker + offset) % queues.count]
      if let operation = queues[worker].takeHalf(of: other) { return operation }
    }
    return nil
  }

  /// Whether all workers seem to be running operations.
  private var isFull: Bool {
    resting.isEmpty && !isWaking.load(ordering: .sequentiallyConsistent)
  }

  /// Whether a ready operation exists that no worker has started.
  private var hasSurplus: Bool {
    inbox.load(ordering: .sequentiallyConsistent) >= 0 || queues.contains { !$0.isEmpty }
  }

  /// Wakes a worker if one rests and none is being woken.
  private func wake() {
    while !isWaking.load(ordering: .sequentiallyConsistent), !resting.isEmpty,
      !isWaking.exchange(true, ordering: .sequentiallyConsistent)
    {
      if let worker = resting.popFirst() { return schedule(worker) }
      isWaking.store(false, ordering: .sequentiallyConsistent)
      // Another thread may have seen `isWaking` in between, and therefore woken no worker.
      guard hasSurplus else { return }
    }
  }

  // MARK: Operations

  /// Starts the operation on the calling thread, or passes over it if the run has stopped.
  ///
  /// - Parameter other: the operation whose place it takes; -1 if there is none.
  /// - Returns: whether it has ended by now.
  private func begin(_ operation: Int32, after other: Int32) -> Bool {
    if isStopped.load(ordering: .acquiring) {
      stopReason.withLock { $0?.hasLeftSome = true }
      return true
    }
    if core.cancellation.isCancelled {
      stop(CancellationError())
      stopReason.withLock { $0?.hasLeftSome = true }
      return true
    }
    core.passPlace(from: other, to: operation)
    var failure: (any Error)?
    let hasEnded = core.execute(operation, for: self, failure: &failure)
    if let failure { stop(failure) }
    return hasEnded
  }

  /// Continues after an operation has ended on a worker. Returns the operation that the worker starts next, if its own
  /// queue has one.
  private func settle(_ operation: Int32, in queue: WorkerQueue) -> Int32? {
    var first: Int32 = -1
    var hasMore = false
    for successor in core.plan.successors(of: operation) where core.isReady(successor) {
      if first < 0 {
        first = successor
      } else {
        if !hasMore { queue.append(first) }
        hasMore = true
        queue.append(successor)
      }
    }
    if !hasMore {
      // No other operation is queued.
      if first >= 0, queue.isEmpty { return first }
      if first >= 0 { queue.append(first) }
    }
    guard let next = next(of: queue) else { return nil }
    if !queue.isEmpty { wake() }
    return next
  }

  func end(_ operation: Int32, _ failure: (any Error)?) {
    if let failure { stop(failure) }
    guard core.markEnded(operation, failure) else { return }
    // This thread is not one of the workers.
    var ready = ReadyList()
    for successor in core.plan.successors(of: operation) where core.isReady(successor) {
      ready.append(successor, links)
    }
    if leave(1) || ready.isEmpty { return }
    putIntoInbox(ready)
    wake()
  }

  private func stop(_ error: any Error) {
    let reason = StopReason(error: error, isLate: core.cancellation.isCancelled)
    stopReason.withLock { known in
      if known == nil { known = reason }
    }
    isStopped.store(true, ordering: .releasing)
  }

  /// - Returns: whether these were the last operations.
  private func leave(_ ended: Int) -> Bool {
    guard unfinished.subtract(ended, ordering: .acquiringAndReleasing).newValue == 0 else {
      return false
    }
    core.conclude(stopReason.withLock { $0 }?.outcome)
    return true
  }

  // MARK: Operations that become ready on other threads

  private func putIntoInbox(_ ready: ReadyList) {
    var ready = ready
    while let operation = ready.popFirst(links) {
      var last = inbox.load(ordering: .relaxed)
      while true {
        links[Int(operation)] = last
        let putting = inbox.weakCompareExchange(
          expected: last, desired: operation, ordering: .sequentiallyConsistent)
        if putting.exchanged { break }
        last = putting.original
      }
    }
  }

  private func emptyInbox(into queue: WorkerQueue) {
    var last = inbox.exchange(-1, ordering: .acquiringAndReleasing)
    // Reverse the list, because the operation that arrived first starts first.
    var first: Int32 = -1
    while last >= 0 {
      let before = links[Int(last)]
      links[Int(last)] = first
      first = last
      last = before
    }
    while first >= 0 {
      let next = links[Int(first)]
      queue.append(first)
      first = next
    }
  }
}
