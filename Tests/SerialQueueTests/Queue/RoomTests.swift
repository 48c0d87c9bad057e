import AsyncSimulation
import SerialQueue
import Testing

/// Tests a bound and callers that wait for room.
@Suite struct RoomTests {
  private let shop = Workshop()

  @Test func `an item above the bound fails immediately`() {
    let queue = SerialQueue("saves", bound: 2, runtime: shop.runtime)
    queue.enqueueWithCompletion(work: shop.work("a"))
    queue.enqueueWithCompletion(work: shop.work("b"))
    shop.note("c", queue.enqueueWithCompletion(work: shop.work("c")))
    #expect(shop.log.entries == ["c: full"])
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["c: full", "a@0", "b@10"])
  }

  @Test func `callers wait for room in the order of their arrival`() {
    let queue = SerialQueue(bound: 1, runtime: shop.runtime)
    let clock = shop.runtime.clock
    for name in ["a", "b", "c"] {
      shop.runtime.task { [shop] in
        try await queue.enqueueWhenRoom { try await clock.sleep(for: .ms(10)) }
        shop.log.append("\(name) in@\(shop.runtime.milliseconds)")
      }
    }
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["a in@0", "b in@10", "c in@20"])
    #expect(shop.runtime.milliseconds == 30)
  }

  @Test func `a caller that is cancelled while it waits for room never enqueues`() {
    let queue = SerialQueue(bound: 1, runtime: shop.runtime)
    queue.enqueueWithCompletion(work: shop.work("a"))
    let waiting = shop.runtime.task { [shop] in
      do {
        try await queue.enqueueWithCompletionWhenRoom(of: Int.self) { done in done(.success(1)) }
      } catch { shop.log.append("b: \(error is CancellationError)@\(shop.runtime.milliseconds)") }
    }
    shop.run(untilMilliseconds: 5)
    waiting.cancel()
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["a@0", "b: true@5"])
    #expect(queue.count == 0)
  }

  @Test func `run waits for room and returns the result of its work`() {
    let queue = SerialQueue(bound: 1, runtime: shop.runtime)
    queue.enqueueWithCompletion(work: shop.work("a"))
    shop.runtime.task { [shop] in
      let number = try await queue.run { 42 }
      shop.log.append("\(number)@\(shop.runtime.milliseconds)")
    }
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["a@0", "42@10"])
  }

  @Test func `cancelling the task that runs an item cancels the item`() {
    let queue = SerialQueue(runtime: shop.runtime)
    let clock = shop.runtime.clock
    queue.enqueueWithCompletion(work: shop.work("a"))
    let waiting = shop.runtime.task { [shop] in
      do { try await queue.run { shop.log.append("never") } } catch {
        shop.log.append("waiting: \(error is CancellationError)@\(shop.runtime.milliseconds)")
      }
    }
    let running = shop.runtime.task { [shop] in
      do { try await queue.run { try await clock.sleep(for: .seconds(1)) } } catch {
        shop.log.append("running: \(error is CancellationError)@\(shop.runtime.milliseconds)")
      }
    }
    shop.run(untilMilliseconds: 5)
    waiting.cancel()
    shop.run(untilMilliseconds: 20)
    running.cancel()
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["a@0", "waiting: true@5", "running: true@20"])
  }

  @Test func `a task that is already cancelled enqueues nothing`() {
    let queue = SerialQueue(runtime: shop.runtime)
    let task = shop.runtime.task { [shop] in
      withUnsafeCurrentTask { $0?.cancel() }
      do { try await queue.run { shop.log.append("never") } } catch {
        shop.log.append("\(error is CancellationError)")
      }
    }
    shop.runtime.runUntilIdle()
    _ = task
    #expect(shop.log.entries == ["true"])
    #expect(queue.count == 0)
  }

  @Test func `an item whose handlers are called leaves room for another`() {
    let queue = SerialQueue(bound: 1, runtime: shop.runtime)
    queue.enqueueWithCompletion(work: shop.work("a")).onCompletion { [shop] _ in
      shop.note("b", queue.enqueue {})
      shop.note("c", queue.enqueue {})
    }
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["a@0", "c: full", "b: ok"])
  }
}
