import OperationGraph
import Testing

/// Tests groups, semaphores and queues of operations on real threads, and under ThreadSanitizer.
@Suite struct JoiningLiveTests {
  @Test func `a group is empty exactly when all members have left, in every round`() async throws {
    let group = JoinGroup("rounds")
    let left = Locked(0)
    for round in 1...200 {
      for _ in 1...20 {
        let membership = group.membership()
        LiveRuntime.shared.pool.schedule {
          left.withLock { $0 += 1 }
          membership.leave()
        }
      }
      try await group.wait()
      #expect(left.withLock { $0 } == round * 20)
    }
    #expect(group.count == 0)
  }

  @Test func `waits and cancellations from many threads lose no permit`() async throws {
    let semaphore = AsyncSemaphore(permits: 3)
    let (running, most, served, gaveUp) = (Locked(0), Locked(0), Locked(0), Locked(0))
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<600 {
        let priority: TaskPriority = [.low, .medium, .high][number % 3]
        group.addTask(priority: priority) {
          let task = Task(priority: priority) {
            try await semaphore.withPermit {
              let now = running.withLock { running in
                running += 1
                return running
              }
              most.withLock { $0 = max($0, now) }
              await Task.yield()
              running.withLock { $0 -= 1 }
            }
          }
          if number % 4 == 0 {
            await Task.yield()
            task.cancel()
          }
          switch await task.result {
          case .success: served.withLock { $0 += 1 }
          case .failure(let error):
            #expect(error is CancellationError)
            gaveUp.withLock { $0 += 1 }
          }
        }
      }
    }
    #expect(most.withLock { $0 } <= 3)
    #expect(served.withLock { $0 } + gaveUp.withLock { $0 } == 600)
    #expect(served.withLock { $0 } >= 450)
    #expect(semaphore.permits == 3)
    #expect(semaphore.waitingCount == 0)
  }

  @Test func `a waiting task whose priority is raised moves up`() async throws {
    guard #available(macOS 26, *) else { return }
    let semaphore = AsyncSemaphore(permits: 0)
    let log = Log()
    let low = Task(priority: .low) {
      try await semaphore.wait()
      log.append("low, raised")
      semaphore.signal()
    }
    await until { semaphore.waitingCount == 1 }
    let medium = Task(priority: .medium) {
      try await semaphore.wait()
      log.append("medium")
      semaphore.signal()
    }
    await until { semaphore.waitingCount == 2 }
    low.escalatePriority(to: .high)
    semaphore.signal()
    try await low.value
    try await medium.value
    #expect(log.entries == ["low, raised", "medium"])
  }

  private func until(_ isSo: () -> Bool) async {
    while !isSo() { await Task.yield() }
  }

  @Test func `operations from many threads keep the width, order and count`() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3)
    let (running, most, ended) = (Locked(0), Locked(0), Locked(0))
    let work: @Sendable (OperationGraph.Done<Void>) -> Void = { done in
      let now = running.withLock { running in
        running += 1
        return running
      }
      most.withLock { $0 = max($0, now) }
      LiveRuntime.shared.pool.schedule {
        running.withLock { $0 -= 1 }
        done()
      }
    }
    let outOfOrder = Locked(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...8 {
        group.addTask {
          var last: AsyncOperation?
          for number in 1...100 {
            let operation = AsyncOperation.withCompletion("\(number)", work)
            if let last {
              try? operation.addDependency(last, requires: .end)
              operation.onCompletion { _ in
                if !last.isFinished { outOfOrder.withLock { $0 += 1 } }
              }
            }
            operation.onCompletion { _ in ended.withLock { $0 += 1 } }
            try? queue.addOperation(operation)
            if number % 7 == 0 { operation.cancel() }
            last = operation
          }
        }
      }
    }
    try await queue.waitUntilFinished()
    #expect(most.withLock { $0 } <= 3)
    #expect(ended.withLock { $0 } == 800)
    #expect(outOfOrder.withLock { $0 } == 0)
    #expect(queue.operationCount == 0)
  }
}
