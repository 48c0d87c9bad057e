import RunLoopTransaction
import Testing

@Suite(.timeLimit(.minutes(1))) struct FlushSequenceTests {
  private let stage = Stage()

  private func all(_ flushes: AsyncStream<FlushMetrics>) async -> [FlushMetrics] {
    var all: [FlushMetrics] = []
    for await flush in flushes { all.append(flush) }
    return all
  }

  @Test func `every later flush is delivered in order, and the sequence ends with the queue`()
    async throws
  {
    let seen = Locked<[FlushMetrics]>([])
    var queue: TransactionQueue? = stage.queue { flush in seen.withLock { $0.append(flush) } }
    let flushes = try #require(queue?.flushes)
    for count in 1...3 {
      for label in stage.labels.prefix(count) {
        if let queue { Transaction(label, action: .layout).commit(to: queue) }
      }
      stage.runtime.runUntilIdle()
    }
    let late = try #require(queue?.flushes)
    queue = nil
    #expect(await all(late) == [])
    let delivered = await all(flushes)
    #expect(delivered.map(\.performed) == [1, 2, 3])
    #expect(delivered == seen.withLock { $0 })
  }

  @Test func `the last flush of a released queue is delivered`() async throws {
    var queue: TransactionQueue? = stage.queue(batchLimit: 1)
    let flushes = try #require(queue?.flushes)
    for label in stage.labels.prefix(2) {
      if let queue { Transaction(label, action: .layout).commit(to: queue) }
    }
    queue = nil
    stage.runtime.runUntilIdle()
    #expect(await all(flushes).map(\.leftOver) == [1, 0])
  }
}
