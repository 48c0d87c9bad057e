import AsyncSimulation
import SerialQueue
import Testing

/// Tests width, barriers, priorities and keys.
@Suite struct OrderTests {
  private let shop = Workshop()

  @Test func `at most as many items run as the width allows, and they start in order`() {
    let queue = SerialQueue(width: 2, runtime: shop.runtime)
    for (name, time) in [("a", 30), ("b", 10), ("c", 10), ("d", 10)] {
      queue.enqueueWithCompletion(work: shop.work(name, .ms(time)))
    }
    shop.run(untilMilliseconds: 5)
    #expect(queue.runningCount == 2)
    #expect(queue.waitingCount == 2)
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["a@0", "b@0", "c@10", "d@20"])
    #expect(queue.count == 0)
  }

  @Test func `synchronous items use as many workers as the width allows`() {
    let queue = SerialQueue(width: 3, runtime: shop.runtime)
    for _ in 1...6 { queue.enqueue { [shop] in shop.runtime.work(for: .ms(10)) } }
    shop.runtime.runUntilIdle()
    #expect(shop.runtime.milliseconds == 20)
  }

  @Test func `a barrier waits for all earlier items and runs alone, and no item overtakes it`() {
    let queue = SerialQueue(width: 3, runtime: shop.runtime)
    queue.enqueueWithCompletion(work: shop.work("a", .ms(10)))
    queue.enqueueWithCompletion(work: shop.work("b", .ms(30)))
    queue.enqueueWithCompletion(.barrier, work: shop.work("barrier", .ms(10)))
    queue.enqueueWithCompletion(.priority(.high), work: shop.work("c", .ms(10)))
    queue.enqueueWithCompletion(work: shop.work("d", .ms(10)))
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["a@0", "b@0", "barrier@30", "c@40", "d@40"])
  }

  @Test func `a cancelled barrier does not delay other items`() {
    let queue = SerialQueue(width: 2, runtime: shop.runtime)
    queue.enqueueWithCompletion(work: shop.work("a", .ms(30)))
    let barrier = queue.enqueueWithCompletion(.barrier, work: shop.work("barrier"))
    queue.enqueueWithCompletion(.barrier, work: shop.work("second", .ms(10)))
    queue.enqueueWithCompletion(work: shop.work("c", .ms(10)))
    shop.run(untilMilliseconds: 5)
    barrier.cancel()
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["a@0", "second@30", "c@40"])
  }

  @Test func `priorities reorder queued items, but not across barriers`() {
    let queue = SerialQueue(runtime: shop.runtime)
    queue.enqueueWithCompletion(work: shop.work("first"))
    queue.enqueueWithCompletion(.priority(.low), work: shop.work("low"))
    queue.enqueueWithCompletion(work: shop.work("normal"))
    queue.enqueueWithCompletion(.priority(.high), work: shop.work("high"))
    queue.enqueueWithCompletion(.priority(.high), work: shop.work("high too"))
    queue.enqueueWithCompletion(.barrier, work: shop.work("barrier"))
    queue.enqueueWithCompletion(.priority(.high), work: shop.work("behind"))
    shop.runtime.runUntilIdle()
    #expect(
      shop.log.entries == [
        "high@0", "high too@10", "first@20", "normal@30", "low@40", "barrier@50", "behind@60",
      ])
  }

  @Test func `a queue distinguishes three priorities`() {
    let queue = SerialQueue(runtime: shop.runtime)
    queue.suspend()
    for priority: Priority in [-1, .normal, .low, .high, 1, -200, 200] {
      queue.enqueueWithCompletion(.priority(priority), work: shop.work("\(priority.rawValue)"))
    }
    queue.resume()
    shop.runtime.runUntilIdle()
    #expect(
      shop.log.entries == ["100@0", "1@10", "200@20", "0@30", "-1@40", "-100@50", "-200@60"])
  }

  @Test func `the latest item of a key takes the place of the queued one`() {
    let queue = SerialQueue(runtime: shop.runtime)
    queue.enqueueWithCompletion(work: shop.work("running"))
    shop.run(untilMilliseconds: 5)
    for number in 1...3 {
      let name = "layout \(number)"
      shop.note(
        name, queue.enqueueWithCompletion(.key("layout", .latestWins), work: shop.work(name)))
      if number == 1 { queue.enqueueWithCompletion(work: shop.work("after")) }
    }
    #expect(queue.count == 3)
    shop.runtime.runUntilIdle()
    #expect(
      shop.log.entries == [
        "running@0", "layout 1: superseded", "layout 2: superseded", "layout 3@10",
        "layout 3: ok", "after@20",
      ])
  }

  @Test func `the first queued item of a key stays, and a running one does not count`() {
    let queue = SerialQueue(runtime: shop.runtime)
    shop.note("1", queue.enqueueWithCompletion(.key("save", .firstWins), work: shop.work("save 1")))
    shop.note("2", queue.enqueueWithCompletion(.key("save", .firstWins), work: shop.work("save 2")))
    shop.run(untilMilliseconds: 5)
    shop.note("3", queue.enqueueWithCompletion(.key("save", .firstWins), work: shop.work("save 3")))
    shop.runtime.runUntilIdle()
    #expect(
      shop.log.entries == ["2: superseded", "save 1@0", "1: ok", "save 3@10", "3: ok"])
  }

  @Test func `a key is free again when its item has been cancelled`() {
    let queue = SerialQueue(runtime: shop.runtime)
    queue.enqueueWithCompletion(work: shop.work("running"))
    let first = queue.enqueueWithCompletion(.key("k", .firstWins), work: shop.work("first"))
    first.cancel()
    queue.enqueueWithCompletion(.key("k", .firstWins), work: shop.work("second"))
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["running@0", "second@10"])
  }

  @Test func `items that are cancelled while queued leave nothing behind`() {
    let queue = SerialQueue(runtime: shop.runtime)
    queue.enqueueWithCompletion(work: shop.work("running"))
    shop.run(untilMilliseconds: 5)
    for round in 1...1_000 {
      let item = queue.enqueueWithCompletion(work: shop.work("never"))
      item.cancel()
      if round == 500 { queue.enqueueWithCompletion(work: shop.work("kept")) }
    }
    #expect(queue.count == 2)
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["running@0", "kept@10"])
  }
}
