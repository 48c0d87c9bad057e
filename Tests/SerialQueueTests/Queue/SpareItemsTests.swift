import SerialQueue
import Testing

/// Tests item objects that are reused.
@Suite struct SpareItemsTests {
  // The queue ends the items on other threads, and only full magazines move between threads. The tests therefore use
  // enough items to fill magazines.
  private let shop = Workshop()

  @Test func `an item that is still referenced is not reused`() {
    let queue = SerialQueue(runtime: shop.runtime)
    queue.suspend()
    let held = (1...500).map { _ in queue.enqueue {} }
    queue.resume()
    shop.runtime.runUntilIdle()
    queue.suspend()
    for number in 1...500 { queue.enqueue { [shop] in shop.log.append("\(number)") } }
    // The items have ended, so cancelling them must not affect any pending item.
    for item in held { item.cancel() }
    queue.resume()
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == (1...500).map(String.init))
  }

  @Test func `cancelling a running item does not affect the item that reuses its object`() {
    let queue = SerialQueue(runtime: shop.runtime)
    for round in 1...3 {
      queue.suspend()
      for number in 1...300 {
        let item = Locked<SerialQueue.Item<Void>?>(nil)
        let running = queue.enqueue { [shop] in
          item.withLock { $0.take() }?.cancel()
          shop.log.append("\(round).\(number)")
        }
        item.withLock { $0 = running }
      }
      queue.resume()
      shop.runtime.runUntilIdle()
    }
    #expect(shop.log.entries == (1...3).flatMap { round in (1...300).map { "\(round).\($0)" } })
  }
}
