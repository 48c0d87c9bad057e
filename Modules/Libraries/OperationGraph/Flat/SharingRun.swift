internal import AsyncRuntime
internal import Synchronization

/// A run on several workers. Each has its own queue of ready operations, and takes from the other queues when
/// its own is empty. The run stops at the first failure: it passes through operations without starting them.
///
/// The thread that ends an operation counts down its successors, one atomic counter each, and continues with
/// the first that is ready. There is no lock, clock reading or allocation on the way. A worker is woken only
/// for an operation that another one cannot start itself.
///
/// Safe to share: a queue belongs to the worker whose bit in `resting` is not set.
final class SharingRun: FlatRun {
  let core: FlatRunCore
  private let queues: [WorkerQueue]
  private let resting: RestingWorkers
  /// Whether a worker is waking up that has not looked around yet: one at a time.
  private let isWaking = Atomic<Bool>(false)
  /// The operations that became ready on other threads, the last one first, linked; -1 if there is none.
  private let inbox = Atomic<Int32>(-1)
  /// How many operations have not ended; those that a worker has ended count when it rests. The thread that
  /// brings it to zero concludes the run.
  private let unfinished: Atomic<Int>
  private let isStopped = Atomic<Bool>(false)
  private let stopReason = Locked<StopReason?>(nil)
  /// Whether there is a trace, and there are as many workers as places: then a worker without an operation is
  /// a free place.
  private let isPlaceWorker: Bool

  /// - Parameters:
  ///   - width: how many operations may be in flight.
  ///   - workers: how many there are at most.
  init(_ core: consuming FlatRunCore, width: Int, workers: Int) {
    let count = core.plan.count
    let workers = max(min(workers, count), 1)
    isPlaceWorker = core.trace != nil && width < count && max(width, 1) <= workers
    queues = (0..<workers).map { _ in WorkerQueue() }
    resting = RestingWorkers(count: workers)
    unfinished = Atomic(count)
    self.core = core
  }

  /// Starts the operations that wait for none.
  func start() {
    guard core.plan.count > 0, let worker = resting.popFirst() else { return core.conclude(nil) }
    for root in core.plan.roots { queues[worker].append(root) }
    schedule(worker)
  }

  private func schedule(_ worker: Int) {
    core.placement.run(on: core.runtime) { self.work(as: worker) }
  }

  // MARK: Workers

  /// What a worker does: it starts one operation after another until it finds none.
  private func work(as first: Int) {
    var worker = first
    var isWoken = true
    while true {
      let queue = queues[worker]
      var ended = 0
      // Which has left its place to the next; -1 if none has, or if other places were free.
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
      // What became ready while it was about to rest may have woken nobody.
      guard hasSurplus, let again = resting.popFirst() else { return }
      worker = again
    }
  }

  /// The first that is ready in the worker's own queue, to which it adds what came from other threads.
  private func next(of queue: WorkerQueue) -> Int32? {
    if inbox.load(ordering: .relaxed) >= 0 { emptyInbox(into: queue) }
    return queue.popFirst()
  }

  /// Something that is ready in another queue.
  private func search(for worker: Int) -> Int32? {
    for offset in 1..<max(queues.count, 1) {
      let other = queues[(worker + offset) % queues.count]
      if let operation = queues[worker].takeHalf(of: other) { return operation }
    }
    return nil
  }

  /// Whether all workers are at operations, as far as can be seen.
  private var isFull: Bool {
    resting.isEmpty && !isWaking.load(ordering: .sequentiallyConsistent)
  }

  /// Whether something is ready that no worker has begun.
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
      // Who came in between took it that a worker was being woken, and woke none.
      guard hasSurplus else { return }
    }
  }

  // MARK: Operations

  /// Starts the operation on the calling thread, or passes it through if nothing is to start any more.
  ///
  /// - Parameter other: which has left its place to it; -1 if none has.
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

  /// An operation has ended on a worker: what it is to start next, if that is in its own queue.
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
      // Nothing else waits for its turn.
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
    // On a thread that is none of the workers.
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

  /// - Returns: whether these were the last.
  private func leave(_ ended: Int) -> Bool {
    guard unfinished.subtract(ended, ordering: .acquiringAndReleasing).newValue == 0 else {
      return false
    }
    core.conclude(stopReason.withLock { $0 }?.outcome)
    return true
  }

  // MARK: What becomes ready on other threads

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
    // The first that came starts first: turn the list around.
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
