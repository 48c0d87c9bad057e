import AsyncSimulation
import SerialQueue
import Testing

@Suite struct TimeoutTests {
  private let shop = Workshop()

  @Test func `a handler that never finishes times out and is notified, and the queue continues`() {
    let queue = SerialQueue("saves", timeout: .ms(20), runtime: shop.runtime)
    let kept = Locked<SerialQueue.Done<Void>?>(nil)
    let item = queue.enqueueWithCompletion { [shop] done in
      kept.withLock { $0 = done }
      done.onCancel { shop.log.append("notified") }
    }
    shop.note("hung", item)
    queue.enqueueWithCompletion(work: shop.work("next"))
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["notified", "hung: timed out", "next@20"])
    // A late completion is not reported as a second one.
    kept.withLock { $0 }?()
    kept.withLock { $0 = nil }
    shop.runtime.runUntilIdle()
    #expect(shop.recording.misuse.isEmpty)
    #expect(queue.count == 0)
  }

  @Test(arguments: [
    ("saves", nil, "saves: item"), ("saves", "draft", "saves: draft"), ("", nil, "item"),
    ("", "draft", "draft"),
  ])
  func `the error names the queue, the item, the limit and the place of the call`(
    _ queue: String, _ item: String?, _ name: String
  ) throws {
    let queue = SerialQueue(queue, timeout: .ms(20), runtime: shop.runtime)
    let error = Locked<TimedOut?>(nil)
    let options = item.map { [SerialQueue.ItemOption.label($0)] } ?? []
    let line = #line + 1
    let late = queue.enqueueWithCompletion(.all(options), work: shop.work("late", .ms(30)))
    late.onCompletion { result in
      guard case .failure(let failure) = result else { return }
      error.withLock { $0 = failure as? TimedOut }
    }
    shop.runtime.runUntilIdle()
    let found = try #require(error.withLock { $0 })
    #expect(found == TimedOut(name, after: .ms(20), site: "\(#fileID):\(line)"))
    #expect("\(found)" == "“\(name)” timed out after 20ms (\(#fileID):\(line))")
  }

  /// However an item ends, its handler is called before the next item starts. Otherwise a pattern that stops at a
  /// failure would start the next step.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `the handler is called before the next item starts, even while the late item returns`(
    seed: UInt64
  ) {
    let runtime = SimulatedRuntime(seed: seed)
    let log = Log()
    let queue = SerialQueue(timeout: .ms(10), runtime: runtime)
    // The worker returns at the exact moment of the timeout.
    queue.enqueue { runtime.block(for: .ms(10)) }.onCompletion { log.append($0.summary) }
    queue.enqueue { log.append("next") }
    runtime.runUntilIdle()
    #expect(log.entries.last == "next" && log.entries.count == 2, "\(log.entries)")
  }

  @Test func `work that times out as it starts belongs to its drainer only`() async throws {
    let queue = SerialQueue("short", timeout: .nanoseconds(1))
    for _ in 1...2_000 {
      let object = Log()
      _ = queue.enqueueWithCompletion(of: Int.self) { done in
        object.append("starts")
        done(1)
      }
    }
    try await queue.drain()
    #expect(queue.count == 0)
  }

  @Test func `the time counts from an item's start, and ending in time leaves no timer`() {
    let queue = SerialQueue(timeout: .ms(15), runtime: shop.runtime)
    for name in ["a", "b", "c"] {
      shop.note(name, queue.enqueueWithCompletion(work: shop.work(name)))
    }
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["a@0", "a: ok", "b@10", "b: ok", "c@20", "c: ok"])
    #expect(shop.runtime.milliseconds == 30)
  }

  @Test func `an asynchronous function that times out is cancelled, and the next one is not`() {
    let queue = SerialQueue(timeout: .ms(20), runtime: shop.runtime)
    let clock = shop.runtime.clock
    let slow = queue.enqueue { [shop] in
      do { try await clock.sleep(for: .seconds(1)) } catch {
        shop.log.append("slow ends@\(shop.runtime.milliseconds)")
        throw error
      }
    }
    shop.note("slow", slow)
    let next = queue.enqueue { [shop] in
      try await clock.sleep(for: .ms(10))
      shop.log.append("next \(Task.isCancelled)@\(shop.runtime.milliseconds)")
    }
    shop.note("next", next)
    shop.runtime.runUntilIdle()
    #expect(
      shop.log.entries == ["slow: timed out", "slow ends@20", "next false@30", "next: ok"])
  }

  @Test func `a synchronous function that times out blocks its worker, not the queue`() {
    let queue = SerialQueue(timeout: .ms(10), runtime: shop.runtime)
    shop.note("slow", queue.enqueue { [shop] in shop.runtime.work(for: .ms(50)) })
    shop.note("next", queue.enqueueWithCompletion(work: shop.work("next", .ms(5))))
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["slow: timed out", "next@10", "next: ok"])
    #expect(shop.runtime.milliseconds == 50)
    #expect(queue.count == 0)
  }
}
