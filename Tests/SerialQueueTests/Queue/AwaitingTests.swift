import AsyncSimulation
import SerialQueue
import Testing

/// Tests idleness, draining, self-awaits and items that share a task.
@Suite struct AwaitingTests {
  private let shop = Workshop()

  @Test func `every idle state is reported, but not to a cancelled observation`() {
    let queue = SerialQueue(runtime: shop.runtime)
    let observation = queue.onIdle { [shop] in shop.log.append("idle@\(shop.runtime.milliseconds)")
    }
    queue.enqueueWithCompletion(work: shop.work("a"))
    queue.enqueueWithCompletion(work: shop.work("b"))
    shop.runtime.runUntilIdle()
    queue.enqueue { [shop] in shop.log.append("c") }
    shop.runtime.runUntilIdle()
    observation.cancel()
    queue.enqueue { [shop] in shop.log.append("d") }
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["a@0", "b@10", "idle@20", "c", "idle@20", "d"])
  }

  @Test func `cancelling the last item also leaves the queue idle`() {
    let queue = SerialQueue(runtime: shop.runtime)
    queue.onIdle { [shop] in shop.log.append("idle") }
    queue.suspend()
    let item = queue.enqueueWithCompletion(work: shop.work("a"))
    item.cancel()
    #expect(shop.log.entries == ["idle"])
  }

  @Test func `draining a wide queue waits for the slowest item`() {
    let queue = SerialQueue(width: 2, runtime: shop.runtime)
    queue.enqueueWithCompletion(work: shop.work("a", .ms(30)))
    queue.enqueueWithCompletion(work: shop.work("b", .ms(10)))
    queue.onDrained { [shop] in shop.log.append("drained@\(shop.runtime.milliseconds)") }
    queue.enqueueWithCompletion(work: shop.work("c", .ms(50)))
    queue.onDrained { [shop] in shop.log.append("all@\(shop.runtime.milliseconds)") }
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["a@0", "b@0", "c@10", "drained@30", "all@60"])
  }

  @Test(arguments: ["item", "drain", "run"])
  func `an await that would wait for its own item is refused`(_ what: String) {
    let queue = SerialQueue("saves", runtime: shop.runtime)
    let item = queue.enqueue { [shop] in
      let later = queue.enqueue { 1 }
      do {
        switch what {
        case "item": _ = try await later.value
        case "drain": try await queue.drain()
        default: try await queue.run {}
        }
      } catch SerialQueueError.selfAwait(let label) {
        shop.log.append("refused by \(label)")
      }
    }
    shop.note("item", item)
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["refused by saves", "item: ok"])
    #expect(shop.recording.misuse == ["never-completed"])
    #expect(queue.count == 0)
  }

  @Test(arguments: ["behind", "instead"])
  func `an await of an item that waits for a barrier is refused`(_ place: String) {
    let queue = SerialQueue("saves", width: 2, runtime: shop.runtime)
    queue.enqueue { [shop] in
      let barrier = queue.enqueue(.barrier, .key("all", .latestWins)) {}
      do {
        if place == "behind" {
          try await queue.run {}
        } else {
          try await queue.enqueue(.key("all", .latestWins)) {}.value
        }
      } catch SerialQueueError.selfAwait(let label) {
        shop.log.append("refused by \(label)")
      }
      barrier.cancel()
    }
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["refused by saves"])
    #expect(queue.count == 0)
  }

  @Test func `a task that an item starts may await the queue`() {
    let queue = SerialQueue(runtime: shop.runtime)
    queue.enqueue { [shop] in
      shop.runtime.task {
        try await queue.drain()
        shop.log.append("drained@\(shop.runtime.milliseconds)")
      }
      try await shop.runtime.clock.sleep(for: .ms(10))
    }
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["drained@10"])
  }

  @Test func `asynchronous items share a task until one is cancelled`() {
    let queue = SerialQueue(runtime: shop.runtime)
    let identities = Locked<[Int]>([])
    let note: @Sendable () async -> Void = { [shop] in
      try? await shop.runtime.clock.sleep(for: .ms(10))
      let identity = withUnsafeCurrentTask { $0?.hashValue ?? 0 }
      identities.withLock { $0.append(identity) }
    }
    queue.enqueue { await note() }
    let second = queue.enqueue { await note() }
    queue.enqueue { [shop] in
      await note()
      shop.log.append("third \(Task.isCancelled)")
    }
    shop.run(untilMilliseconds: 15)
    second.cancel()
    shop.runtime.runUntilIdle()
    let found = identities.withLock { $0 }
    #expect(found.count == 3)
    #expect(found[0] == found[1])
    #expect(found[1] != found[2])
    #expect(shop.log.entries == ["third false"])
  }

  @Test func `all kinds of items share one order`() {
    let queue = SerialQueue(runtime: shop.runtime)
    for round in 0..<4 {
      queue.enqueue { [shop] in shop.log.append("plain \(round)") }
      queue.enqueue { [shop] in
        try await shop.runtime.clock.sleep(for: .ms(1))
        shop.log.append("async \(round)")
      }
      queue.enqueueWithCompletion { [shop] done in
        shop.log.append("callback \(round)")
        done()
      }
      let throwing = queue.enqueue { () throws -> Int in
        if round == 2 { throw StepFailure("odd") }
        return round
      }
      shop.note("value \(round)", throwing)
    }
    shop.runtime.runUntilIdle()
    let expected = (0..<4).flatMap { round in
      [
        "plain \(round)", "async \(round)", "callback \(round)",
        "value \(round): \(round == 2 ? "odd" : "ok")",
      ]
    }
    #expect(shop.log.entries == expected)
  }
}
