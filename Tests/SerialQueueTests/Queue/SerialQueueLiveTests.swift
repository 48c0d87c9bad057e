import SerialQueue
import Synchronization
import Testing

/// Tests the queue on real threads.
@Suite struct SerialQueueLiveTests {
  @Test func `the value of an item can be awaited`() async throws {
    let queue = SerialQueue()
    let number = queue.enqueueWithCompletion(of: Int.self) { done in done(.success(21)) }
    let twice = queue.enqueue { try await number.value * 2 }
    #expect(try await twice.value == 42)
  }

  @Test func `cancelling the task that awaits ends the wait, not the item`() async throws {
    let queue = SerialQueue()
    let token = Locked<SerialQueue.Done<Int>?>(nil)
    let item = queue.enqueueWithCompletion(of: Int.self) { done in token.withLock { $0 = done } }
    let waiting = Task { try await item.value }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let held = await taken(token)
    held(.success(7))
    token.withLock { $0 = nil }
    #expect(try await item.value == 7)
    try await queue.drain()
  }

  @Test func `run returns the value of a synchronous function, or throws its error`() async throws {
    struct Refused: Error {}
    let queue = SerialQueue()
    #expect(try await queue.run { 42 } == 42)
    await #expect(throws: Refused.self) { try await queue.run { throw Refused() } }
    #expect(try await queue.run(.barrier) { 43 } == 43)
    #expect(queue.count == 0)
  }

  /// Passes an object that is not `Sendable` to a queue. It must compile.
  @Test func `run takes functions that are not Sendable`() async throws {
    final class Page { var lines: [String] = [] }
    let queue = SerialQueue()
    let (page, other) = (Page(), Page())
    let count = try await queue.run {
      page.lines.append("first")
      return page.lines.count
    }
    let words = try await queue.run {
      await Task.yield()
      other.lines.append("second")
      return other.lines
    }
    #expect(count == 1 && words == ["second"])
  }

  @Test func `an asynchronous function can be cancelled before it first suspends`() async throws {
    let queue = SerialQueue()
    let item = queue.enqueue { () async -> Bool in
      queue.cancelAll()
      return Task.isCancelled
    }
    #expect(try await item.value)
    let next = queue.enqueue { () async -> Bool in Task.isCancelled }
    #expect(try await next.value == false)
  }

  @Test func `items from many threads never overlap`() async throws {
    let queue = SerialQueue()
    let running = Locked(0)
    let most = Locked(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...8 {
        group.addTask {
          for _ in 1...500 {
            queue.enqueueWithCompletion { done in
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

  /// A sink that assigns span numbers, and shows when a thread takes one. The thread gets it after a delay.
  private final class Announcing: TraceSink {
    let places = Atomic<UInt32>(0)
    let delay = Atomic<Int>(0)

    func record(_ event: consuming TraceEvent) {}

    func nextSpan() -> Span {
      let number = places.add(1, ordering: .sequentiallyConsistent).newValue
      var left = delay.load(ordering: .relaxed)
      while left > 0 { left -= places.load(ordering: .relaxed) > 0 ? 1 : 0 }
      return .outsideRuns(number)
    }

    /// Checks for a while whether another span number has been taken.
    func isTaken(after number: UInt32) -> Bool {
      var left = 10_000
      while left > 0 {
        if places.load(ordering: .sequentiallyConsistent) != number { return true }
        left -= 1
      }
      return false
    }
  }

  @Test(arguments: [Placement.pool, .inline])
  func `a function does not get the task-local values of the code that enqueues it`(
    _ placement: Placement
  ) async throws {
    let queue = SerialQueue(on: placement)
    let item = Self.$number.withValue(7) { queue.enqueue { () async -> Int in Self.number } }
    #expect(try await item.value == 0)
  }

  @TaskLocal private static var number = 0

  // Recording an item must not undo a cancellation that happens at the same time. Without ThreadSanitizer the fault
  // shows in few rounds; with it, in all of them. The high priority avoids waiting for other tests.
  @Test(.timeLimit(.minutes(1)), arguments: [false, true])
  func `an item that is cancelled while recorded never starts`(waitsForRoom: Bool) async throws {
    let sink = Announcing()
    let runtime = LiveRuntime.shared.tracing(to: sink)
    let queue = SerialQueue("suspended", bound: waitsForRoom ? 1 : nil, runtime: runtime)
    let ran = Locked(0)
    let rounds = Task(priority: .high) {
      for round in 0..<100 {
        queue.suspend()
        if waitsForRoom { queue.enqueue {} }
        let before = sink.places.load(ordering: .sequentiallyConsistent)
        sink.delay.store(3 * round, ordering: .relaxed)
        let task = Task.detached(priority: .high) {
          let work: @Sendable () async throws -> Void = { ran.withLock { $0 += 1 } }
          if waitsForRoom {
            _ = try await queue.enqueueWhenRoom(work: work)
          } else {
            try await queue.run(work: work)
          }
        }
        while !sink.isTaken(after: before) { await Task.yield() }
        task.cancel()
        // The cancelled item cannot have started.
        queue.resume()
        await #expect(throws: CancellationError.self, "round \(round)") { try await task.value }
        try await queue.drain()
      }
    }
    try await rounds.value
    #expect(ran.withLock { $0 } == 0)
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
