import AsyncSimulation
import SerialQueue
import Testing

/// Tests suspending and the effects of a failure.
@Suite struct SuspendingTests {
  private let shop = Workshop()

  @Test func `no item starts while the queue is suspended, and a running item continues`() {
    let queue = SerialQueue(runtime: shop.runtime)
    queue.enqueueWithCompletion(work: shop.work("a", .ms(20)))
    queue.enqueueWithCompletion(work: shop.work("b", .ms(10)))
    shop.run(untilMilliseconds: 5)
    queue.suspend()
    shop.run(untilMilliseconds: 100)
    #expect(queue.isSuspended)
    #expect(queue.runningCount == 0)
    #expect(queue.waitingCount == 1)
    queue.enqueueWithCompletion(work: shop.work("c", .ms(10)))
    queue.resume()
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["a@0", "b@100", "c@110"])
  }

  @Test func `a suspended queue without references fails its queued items`() {
    do {
      let queue = SerialQueue(runtime: shop.runtime)
      queue.suspend()
      shop.note("a", queue.enqueueWithCompletion(work: shop.work("a")))
    }
    #expect(shop.log.entries == ["a: abandoned"])
  }

  @Test func `after a failure the queue continues by default`() {
    let queue = SerialQueue(runtime: shop.runtime)
    _ = queue.enqueueWithCompletion(of: Int.self, work: shop.failing("a"))
    queue.enqueueWithCompletion(work: shop.work("b"))
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["a@0", "b@10"])
  }

  @Test func `a failure stops the queue until it is resumed`() {
    let queue = SerialQueue(onFailure: .stop, runtime: shop.runtime)
    _ = queue.enqueueWithCompletion(of: Int.self, work: shop.failing("a"))
    shop.note("b", queue.enqueueWithCompletion(work: shop.work("b")))
    shop.runtime.runUntilIdle()
    #expect(queue.isStopped)
    shop.note("c", queue.enqueueWithCompletion(work: shop.work("c")))
    shop.note("d", queue.enqueueWithCompletion(.priority(.high), work: shop.work("d")))
    #expect(shop.log.entries == ["a@0", "b: stopped", "c: stopped", "d: stopped"])
    queue.resume()
    shop.note("e", queue.enqueueWithCompletion(work: shop.work("e")))
    shop.runtime.runUntilIdle()
    #expect(Array(shop.log.entries.suffix(2)) == ["e@10", "e: ok"])
  }

  @Test func `a failure suspends the queue until it is resumed`() {
    let queue = SerialQueue(onFailure: .suspend, runtime: shop.runtime)
    _ = queue.enqueueWithCompletion(of: Int.self, work: shop.failing("a"))
    queue.enqueueWithCompletion(work: shop.work("b"))
    shop.runtime.runUntilIdle()
    #expect(queue.isSuspended)
    queue.resume()
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["a@0", "b@10"])
  }

  @Test func `a cancellation is not a failure`() {
    let queue = SerialQueue(onFailure: .stop, runtime: shop.runtime)
    let a = queue.enqueue { [shop] in try await shop.runtime.clock.sleep(for: .seconds(1)) }
    queue.enqueueWithCompletion(work: shop.work("b"))
    shop.run(untilMilliseconds: 5)
    a.cancel()
    shop.runtime.runUntilIdle()
    #expect(!queue.isStopped)
    #expect(shop.log.entries == ["b@5"])
  }

  @Test(arguments: [true, false])
  func `a cancelled item does not count as failed, whatever it throws`(isCancelled: Bool) {
    let queue = SerialQueue(onFailure: .stop, runtime: shop.runtime)
    let a = queue.enqueue { [shop] in
      do { try await shop.runtime.clock.sleep(for: .seconds(1)) } catch {}
      throw StepFailure("closed")
    }
    shop.run(untilMilliseconds: 5)
    if isCancelled { a.cancel() }
    shop.runtime.runUntilIdle()
    #expect(queue.isStopped == !isCancelled)
  }

  @Test(arguments: [true, false])
  func `a cancelled item that then times out does not count as failed`(isCancelled: Bool) {
    let queue = SerialQueue(timeout: .milliseconds(10), onFailure: .stop, runtime: shop.runtime)
    let kept = Locked<SerialQueue.Done<Void>?>(nil)
    let a = queue.enqueueWithCompletion { done in kept.withLock { $0 = done } }
    shop.run(untilMilliseconds: 5)
    if isCancelled { a.cancel() }
    shop.runtime.runUntilIdle()
    #expect(queue.isStopped == !isCancelled)
    kept.withLock { $0 }?()
  }

  @Test(.timeLimit(.minutes(1)))
  func `resuming releases the error that stopped the queue without its lock`() throws {
    final class Reader: Sendable {
      let queue: SerialQueue
      let log: Log
      init(_ queue: SerialQueue, _ log: Log) { (self.queue, self.log) = (queue, log) }
      deinit { log.append("released, \(queue.count) left") }
    }
    struct Failure: Error { let reader: Reader }
    let queue = SerialQueue(on: .inline, onFailure: .stop, runtime: shop.runtime)
    queue.enqueueWithCompletion { [shop] done in
      done(throwing: Failure(reader: Reader(queue, shop.log)))
    }
    #expect(queue.isStopped)
    queue.resume()
    #expect(shop.log.entries == ["released, 0 left"])
  }
}
