import Testing

@testable import SerialQueue

/// Another thread has been halted between the two halves of enqueueing, so that nobody can reach what comes
/// after its item, although it has been enqueued.
@Suite struct StalledProducerTests {
  private let shop = Workshop()
  private let queue: SerialQueue
  private let item: PlainItem
  private let before: UInt

  init() {
    queue = SerialQueue(runtime: shop.runtime)
    let site = SourceSite(file: #fileID, line: #line)
    item = PlainItem({ [log = shop.log] in log.append("stalled") }, site: site)
    before = queue.storage.intake.announce(.passRetained(item))
  }

  /// The other thread goes on.
  private func finish() {
    if queue.storage.intake.link(.passUnretained(item), behind: before) {
      queue.storage.update { _ in nil }
    }
    shop.runtime.runUntilIdle()
  }

  @Test func `an item that is cancelled behind it never starts`() {
    let own = queue.enqueue { [shop] in shop.log.append("never") }
    own.onCompletion { [shop] in shop.log.append("cancelled: \($0.error is CancellationError)") }
    own.cancel()
    finish()
    #expect(shop.log.entries == ["cancelled: true", "stalled"])
    #expect(queue.count == 0)
  }

  @Test func `an item that comes in another way stays behind it`() {
    queue.enqueue { [shop] in shop.log.append("ordinary") }
    queue.enqueue(.timeout(.seconds(1))) { [shop] in shop.log.append("with an option") }
    shop.runtime.task { [queue, shop] in
      try await queue.run { shop.log.append("run") }
      shop.log.append("has run")
    }
    shop.runtime.task { [queue, shop] in
      try await queue.enqueueWhenRoom { shop.log.append("with room") }
    }
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == [])
    finish()
    #expect(
      shop.log.entries.filter { $0 != "has run" } == [
        "stalled", "ordinary", "with an option", "run", "with room",
      ])
    #expect(shop.log.entries.contains("has run"))
  }

  @Test func `what is called off behind it is what was enqueued before`() {
    queue.enqueue { [shop] in shop.log.append("never") }
    queue.cancelPending()
    queue.enqueue { [shop] in shop.log.append("later") }
    finish()
    #expect(shop.log.entries == ["later"])
  }

  @Test func `drained is told when all that was enqueued before has ended`() {
    queue.enqueue { [shop] in shop.log.append("ordinary") }
    queue.onDrained { [shop] in shop.log.append("drained") }
    queue.enqueue { [shop] in shop.log.append("later") }
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == [])
    finish()
    #expect(shop.log.entries == ["stalled", "ordinary", "drained", "later"])
  }

  @Test func `a queue that is paused is woken for what is called off behind it`() {
    let own = queue.enqueue { [shop] in shop.log.append("never") }
    own.onCompletion { [shop] _ in shop.log.append("ended") }
    queue.pause()
    queue.cancelPending()
    finish()
    #expect(shop.log.entries == ["ended"])
  }
}
