import Testing

@testable import SerialQueue

/// Tests a queue while another thread is halted halfway through enqueueing an item. Items that are enqueued after it
/// cannot be reached, although they are in the queue.
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

  /// Lets the other thread continue.
  private func finish() {
    if queue.storage.intake.link(.passUnretained(item), behind: before) {
      queue.storage.update { _ in nil }
    }
    shop.runtime.runUntilIdle()
  }

  @Test func `an item that is cancelled behind the stalled one never starts`() {
    let own = queue.enqueue { [shop] in shop.log.append("never") }
    own.onCompletion { [shop] in shop.log.append("cancelled: \($0.error is CancellationError)") }
    own.cancel()
    finish()
    #expect(shop.log.entries == ["cancelled: true", "stalled"])
    #expect(queue.count == 0)
  }

  @Test func `an item that is enqueued in another way stays behind the stalled one`() {
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

  @Test func `a cancelled run behind a stalled item of a busy queue does not wait for the others`()
  {
    let queue = SerialQueue(runtime: shop.runtime)
    queue.enqueueWithCompletion(work: shop.work("long", .ms(50)))
    shop.run(untilMilliseconds: 1)
    let stalled = PlainItem({}, site: SourceSite(file: #fileID, line: #line))
    let before = queue.storage.intake.announce(.passRetained(stalled))
    let task = shop.runtime.task { [shop] in
      do { try await queue.run {} } catch {
        shop.log.append("\(error is CancellationError)@\(shop.runtime.milliseconds)")
      }
    }
    shop.run(untilMilliseconds: 2)
    task.cancel()
    if queue.storage.intake.link(.passUnretained(stalled), behind: before) {
      queue.storage.update { _ in nil }
    }
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["long@0", "true@2"])
  }

  @Test func `cancelPending cancels the earlier items behind the stalled one`() {
    queue.enqueue { [shop] in shop.log.append("never") }
    queue.cancelPending()
    queue.enqueue { [shop] in shop.log.append("later") }
    finish()
    #expect(shop.log.entries == ["later"])
  }

  @Test func `drained is reported when all earlier items have ended`() {
    queue.enqueue { [shop] in shop.log.append("ordinary") }
    queue.onDrained { [shop] in shop.log.append("drained") }
    queue.enqueue { [shop] in shop.log.append("later") }
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == [])
    finish()
    #expect(shop.log.entries == ["stalled", "ordinary", "drained", "later"])
  }

  @Test func `a suspended queue is woken for cancelled items behind the stalled one`() {
    let own = queue.enqueue { [shop] in shop.log.append("never") }
    own.onCompletion { [shop] _ in shop.log.append("ended") }
    queue.suspend()
    queue.cancelPending()
    finish()
    #expect(shop.log.entries == ["ended"])
  }
}
