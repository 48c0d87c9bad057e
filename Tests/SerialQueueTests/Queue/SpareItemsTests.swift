import SerialQueue
import Testing

/// Items that are used again.
@Suite struct SpareItemsTests {
  // As many as fill magazines, since the queue ends them on other threads than this one.
  private let shop = Workshop()

  @Test func `an item that somebody holds is not used again for another one`() {
    let queue = SerialQueue(runtime: shop.runtime)
    queue.pause()
    let held = (1...500).map { _ in queue.enqueue {} }
    queue.resume()
    shop.runtime.runUntilIdle()
    queue.pause()
    for number in 1...500 { queue.enqueue { [shop] in shop.log.append("\(number)") } }
    // They have ended: nothing of what waits is theirs.
    for item in held { item.cancel() }
    queue.resume()
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == (1...500).map(String.init))
  }

  @Test func `an item that was cancelled while it ran leaves nothing of that to the next one`() {
    let queue = SerialQueue(runtime: shop.runtime)
    for round in 1...3 {
      queue.pause()
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
