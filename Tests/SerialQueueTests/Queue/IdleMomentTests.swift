import SerialQueue
import Testing

@Suite(.timeLimit(.minutes(1))) struct IdleMomentTests {
  private let shop = Workshop()

  private func count(_ moments: AsyncStream<Void>) async -> Int {
    var count = 0
    for await _ in moments { count += 1 }
    return count
  }

  /// Runs an item, after which the queue is idle.
  private func runItem(on queue: SerialQueue?) {
    queue?.enqueue { [shop] in shop.log.append("item") }
    shop.runtime.runUntilIdle()
  }

  @Test func `every later idle moment is delivered to every sequence`() async throws {
    var queue: SerialQueue? = SerialQueue(runtime: shop.runtime)
    runItem(on: queue)
    let first = try #require(queue?.idleMoments)
    runItem(on: queue)
    let second = try #require(queue?.idleMoments)
    runItem(on: queue)
    runItem(on: queue)
    queue = nil
    #expect(await count(first) == 3)
    #expect(await count(second) == 2)
  }

  @Test func `the moment when a released queue has done its work is the last one`() async throws {
    var queue: SerialQueue? = SerialQueue(runtime: shop.runtime)
    let moments = try #require(queue?.idleMoments)
    let item = queue?.enqueue { [shop] in shop.log.append("item") }
    queue = nil
    shop.runtime.runUntilIdle()
    #expect(await count(moments) == 1)
    #expect(shop.log.entries == ["item"])
    // An item retains the storage of its queue, but does not prolong the sequence.
    withExtendedLifetime(item) {}
  }

  @Test func `releasing an idle queue ends the sequence`() async throws {
    var queue: SerialQueue? = SerialQueue(runtime: shop.runtime)
    let moments = try #require(queue?.idleMoments)
    queue = nil
    #expect(await count(moments) == 0)
  }

  @Test func `releasing a suspended queue ends the sequence`() async throws {
    var queue: SerialQueue? = SerialQueue(runtime: shop.runtime)
    let moments = try #require(queue?.idleMoments)
    queue?.suspend()
    queue?.enqueue { [shop] in shop.log.append("never") }
    queue = nil
    shop.runtime.runUntilIdle()
    #expect(await count(moments) == 1)
    #expect(shop.log.entries == [])
  }
}
