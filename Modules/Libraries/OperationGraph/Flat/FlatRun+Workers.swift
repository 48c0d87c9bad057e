internal import Synchronization

// Runs on workers. Each worker has its own queue of ready operations, and takes from other queues when its own is empty.
// With a line, all workers take operations from the line instead. A worker is woken only for an operation that no awake
// worker can start immediately.
extension FlatRun {
  /// Starts a worker with the operations without predecessors. It wakes others.
  func startWorkers() {
    guard let worker = resting.popFirst() else { return }
    if hasLine {
      let roots = ReadyList(core.plan.roots, core.links)
      state.withLock { $0.line.append(roots, freeing: 0, core.links) }
    } else {
      for root in core.plan.roots { queues[worker].append(root) }
    }
    schedule(worker)
  }

  private func schedule(_ worker: Int) {
    placement.run(on: runtime) { self.work(as: worker) }
  }

  /// Gives the workers the operations that became ready when another operation ended on a thread that is not a worker.
  func share(_ ready: ReadyList) {
    if hasLine {
      let hasNext = state.withLock { state in
        state.line.append(ready, freeing: 1, core.links)
        return state.line.hasNext
      }
      if hasNext { wake() }
    } else if !ready.isEmpty {
      putIntoInbox(ready)
      wake()
    }
  }

  /// The body of a worker: starts one operation after another until it finds none.
  private func work(as first: Int) {
    var worker = first
    var isWoken = true
    while true {
      let queue = queues[worker]
      var ended = 0
      while let found = next(of: queue) ?? search(for: worker) {
        if isWoken {
          isWoken = false
          isWaking.store(false, ordering: .sequentiallyConsistent)
        }
        if hasSurplus { wake() }
        var operation = found
        while begin(operation) {
          ended += 1
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
      // An operation may have become ready just before this worker rested, and may have woken no worker.
      guard hasSurplus, let again = resting.popFirst() else { return }
      worker = again
    }
  }

  /// The first ready operation of the line or of a worker.
  private func next(of queue: WorkerQueue) -> Int32? {
    hasLine ? state.withLock { $0.line.popFirst(core.links) } : popFirst(of: queue)
  }

  /// The first ready operation of a worker. Operations from other threads are added to its queue first.
  private func popFirst(of queue: WorkerQueue) -> Int32? {
    if inbox.load(ordering: .relaxed) >= 0 { emptyInbox(into: queue) }
    return queue.popFirst()
  }

  /// Takes ready operations from another queue, and returns the first.
  private func search(for worker: Int) -> Int32? {
    if hasLine { return nil }
    for offset in 1..<max(queues.count, 1) {
      let other = queues[(worker + offset) % queues.count]
      if let operation = queues[worker].takeHalf(of: other) { return operation }
    }
    return nil
  }

  /// Whether a ready operation waits that no worker has started and that the width allows.
  private var hasSurplus: Bool {
    if hasLine { return state.withLock { $0.line.hasNext } }
    return inbox.load(ordering: .sequentiallyConsistent) >= 0 || queues.contains { !$0.isEmpty }
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

  /// Continues after an operation has ended on a worker. Returns the operation that the worker starts next.
  private func settle(_ operation: Int32, in queue: WorkerQueue) -> Int32? {
    if hasLine { return settleInLine(operation) }
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
    guard let next = popFirst(of: queue) else { return nil }
    if !queue.isEmpty { wake() }
    return next
  }

  private func settleInLine(_ operation: Int32) -> Int32? {
    let ready = core.successors(readyAfter: operation)
    let (next, hasMore) = state.withLock { state in
      state.line.append(ready, freeing: 1, core.links)
      return (state.line.popFirst(core.links), state.line.hasNext)
    }
    if hasMore { wake() }
    return next
  }

  // MARK: Operations that become ready on other threads

  private func putIntoInbox(_ ready: ReadyList) {
    var ready = ready
    while let operation = ready.popFirst(core.links) {
      var last = inbox.load(ordering: .relaxed)
      while true {
        core.links[Int(operation)] = last
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
      let before = core.links[Int(last)]
      core.links[Int(last)] = first
      first = last
      last = before
    }
    while first >= 0 {
      let next = core.links[Int(first)]
      queue.append(first)
      first = next
    }
  }
}
