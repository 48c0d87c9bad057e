import AsyncSimulation
import Testing

/// Ordinary asynchronous code, which knows nothing of simulations.
private actor Poller<C: Clock<Duration>> {
  private let clock: C
  private var isReady = false
  private(set) var attempts = 0

  init(clock: C) { self.clock = clock }

  func becomeReady() { isReady = true }

  func poll(every interval: Duration, atMost limit: Int) async throws -> Int {
    while !isReady {
      attempts += 1
      guard attempts < limit else { throw TooMany() }
      try await clock.sleep(for: interval)
    }
    return attempts
  }
}

private struct TooMany: Error {}

@Suite struct OwnAsynchronousCodeTests {
  @Test func `asynchronous code sleeps on virtual time`() async throws {
    let runtime = SimulatedRuntime()
    let poller = Poller(clock: runtime.clock)
    let polling = runtime.task { try await poller.poll(every: .seconds(60), atMost: 100) }
    runtime.advance(by: .seconds(150))
    runtime.task { await poller.becomeReady() }
    runtime.runUntilIdle()
    #expect(try await polling.value == 3)
    #expect(runtime.now == Instant.zero.advanced(by: .seconds(180)))
    #expect(runtime.escapes == [])
    try runtime.finish()
  }

  @Test func `an error is thrown at its virtual time`() async throws {
    let runtime = SimulatedRuntime()
    let poller = Poller(clock: runtime.clock)
    let polling = runtime.task { try await poller.poll(every: .seconds(60), atMost: 100) }
    runtime.runUntilIdle()
    await #expect(throws: TooMany.self) { try await polling.value }
    #expect(runtime.now == Instant.zero.advanced(by: .seconds(60 * 99)))
  }

  @Test func `a cancelled sleep ends immediately`() async throws {
    let runtime = SimulatedRuntime()
    let sleeping = runtime.task { try await Task.sleep(for: .seconds(60), clock: runtime.clock) }
    runtime.advance(by: .seconds(1))
    sleeping.cancel()
    runtime.runUntilIdle()
    await #expect(throws: CancellationError.self) { try await sleeping.value }
    #expect(runtime.now == Instant.zero.advanced(by: .seconds(1)))
    try runtime.finish()
  }

  @Test func `a new task that prefers the pool races on virtual time`() async throws {
    let runtime = SimulatedRuntime()
    let clock = runtime.clock
    let task = Task(executorPreference: SchedulerExecutor(runtime.pool)) {
      try await withThrowingTaskGroup(of: String.self) { group in
        group.addTask {
          try await clock.sleep(for: .seconds(30))
          return "answer"
        }
        group.addTask {
          try await clock.sleep(for: .seconds(10))
          return "timeout"
        }
        defer { group.cancelAll() }
        return try await group.next()
      }
    }
    let start = clock.now
    runtime.runUntilIdle()
    #expect(try await task.value == "timeout")
    #expect(start.duration(to: clock.now) == .seconds(10))
    try runtime.finish()
  }

  @Test func `one seed gives one order of tasks, and other seeds give others`() async throws {
    func order(_ seed: UInt64) async throws -> [Int] {
      let runtime = SimulatedRuntime(seed: seed)
      let order = Locked<[Int]>([])
      for number in 1...5 { runtime.task { order.withLock { $0.append(number) } } }
      runtime.runUntilIdle()
      return order.withLock { $0 }
    }
    #expect(try await order(0) == [1, 2, 3, 4, 5])
    var orders: Set<[Int]> = []
    for seed in 0..<20 as Range<UInt64> {
      let first = try await order(seed)
      #expect(try await order(seed) == first)
      orders.insert(first)
    }
    #expect(orders.count > 5)
  }
}
