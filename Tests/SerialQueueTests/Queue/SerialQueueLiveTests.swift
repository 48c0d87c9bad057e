import SerialQueue
import Testing

/// On the machine's own threads.
@Suite struct SerialQueueLiveTests {
  @Test func `what an item yields can be awaited`() async throws {
    let queue = SerialQueue()
    let number = queue.enqueue(of: Int.self) { done in done(.success(21)) }
    let twice = queue.enqueue { try await number.value * 2 }
    #expect(try await twice.value == 42)
  }

  @Test func `cancelling the task that awaits ends the wait, not the item`() async throws {
    let queue = SerialQueue()
    let token = Locked<SerialQueue.Done<Int>?>(nil)
    let item = queue.enqueue(of: Int.self) { done in token.withLock { $0 = done } }
    let waiting = Task { try await item.value }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let held = await taken(token)
    held(.success(7))
    token.withLock { $0 = nil }
    #expect(try await item.value == 7)
    try await queue.drain()
  }

  @Test func `items from many threads never overlap`() async throws {
    let queue = SerialQueue()
    let running = Locked(0)
    let most = Locked(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...8 {
        group.addTask {
          for _ in 1...500 {
            queue.enqueue { done in
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
          }
        }
      }
      try await group.waitForAll()
    }
    try await queue.drain()
    #expect(most.withLock { $0 } == 1)
    #expect(queue.count == 0)
  }

  private func taken(
    _ token: Locked<SerialQueue.Done<Int>?>
  ) async -> SerialQueue.Done<Int> {
    while true {
      if let done = token.withLock({ $0 }) { return done }
      await Task.yield()
    }
  }
}
