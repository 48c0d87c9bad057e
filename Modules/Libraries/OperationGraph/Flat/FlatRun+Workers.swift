internal import Synchronization

// Runs on workers. Each worker has its own queue of ready operations, and takes from other queues when its own is empty.
// With a line, all workers take from it instead. A worker is woken only for an operation that another one cannot start
// itself.
extension FlatRun {
  /// Starts a worker with the operations without predecessors. It wakes others.
  func startWorkers() {
    guard let worker = resting.popFirst() else { return }
    if let line {
      line.withLock { $0.append(ReadyList(plan.roots, links), freeing: 0, links) }
    } else {
      for root in plan.roots { queues[worker].append(root) }
    }
    schedule(worker)
  }

  private func schedule(_ worker: Int) {
    placement.run(on: runtime) { self.work(as: worker) }
  }

  /// Passes operations to the workers that became ready when another one ended on a thread that is no worker.
  func share(_ ready: ReadyList) {
    if let line {
      let hasNext = line.withLock { line in
        line.append(ready, freeing: 1, links)
        return line.hasNext
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
      // Nil if the ready operations are in the line.
      let queue = queues.isEmpty ? nil : queues[worker]
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

  /// The first ready operation of a worker. Operations from other threads are added to its queue first.
  private func next(of queue: WorkerQueue?) -> Int32? {
    guard let queue else { return line?.withLock { $0.popFirst(links) } }
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

  /// Whether a ready operation could start that no worker has started.
  private var hasSurplus: Bool {
    if let line { return line.withLock { $0.hasNext } }
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
  private func settle(_ operation: Int32, in queue: WorkerQueue?) -> Int32? {
    guard let queue else { return settleInLine(operation) }
    var first: Int32 = -1
    var hasMore = false
    forEachReadySuccessor(of: operation) { successor in
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

  private func settleInLine(_ operation: Int32) -> Int32? {
    var ready = ReadyList()
    forEachReadySuccessor(of: operation) { ready.append($0, links) }
    guard let line else { return nil }
    let (next, hasMore) = line.withLock { line in
      line.append(ready, freeing: 1, links)
      return (line.popFirst(links), line.hasNext)
    }
    if hasMore { wake() }
    return next
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
