import PatternTesting
import SerialQueue
import Testing

/// The ways in which completion-handler work ends its item.
@Suite struct CompletionTests {
  let shop = Workshop()
  let queue: SerialQueue

  init() { queue = SerialQueue("queue", runtime: shop.runtime) }

  @Test func `each spelling of done ends the item`() {
    shop.note("plain", queue.enqueueWithCompletion { done in done() })
    shop.note("value", queue.enqueueWithCompletion(of: Int.self) { done in done(1) })
    shop.note("result", queue.enqueueWithCompletion(of: Int.self) { done in done(.success(1)) })
    shop.note(
      "error",
      queue.enqueueWithCompletion(of: Int.self) { done in done(throwing: CancellationError()) })
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries == ["plain: ok", "value: ok", "result: ok", "error: cancelled"])
  }

  @Test func `done is passed on as a closure of either shape`() {
    @Sendable func end(_ completion: @Sendable () -> Void) { completion() }
    @Sendable func answer<Value>(
      _ result: Result<Value, any Error>, _ completion: @Sendable (Result<Value, any Error>) -> Void
    ) { completion(result) }

    shop.note("plain", queue.enqueueWithCompletion { done in end(done.closure) })
    shop.note("void", queue.enqueueWithCompletion { done in answer(.success(()), done.closure) })
    shop.note(
      "value",
      queue.enqueueWithCompletion(of: Int.self) { done in answer(.success(1), done.closure) })
    shop.note(
      "error",
      queue.enqueueWithCompletion(of: Int.self) { done in
        answer(.failure(CancellationError()), done.closure)
      })
    shop.runtime.runUntilIdle()
    #expect(
      shop.log.entries == ["plain: ok", "void: ok", "value: ok", "error: cancelled"])
  }

  @Test func `a closure of done that is released without a call is reported`() {
    let item = queue.enqueueWithCompletion { done in
      let end = done.closure
      withExtendedLifetime(end) {}
    }
    item.onCompletion { [shop] result in shop.log.append(result.summary) }
    queue.enqueue { [shop] in shop.log.append("next") }
    shop.runtime.runUntilIdle()
    #expect(shop.log.entries.count == 2 && shop.log.entries.last == "next")
    #expect(shop.log.entries[0].contains("released its completion without calling it"))
    let misuses = shop.recording.events.filter { $0.kind == .misuse }.map(\.name)
    #expect(misuses == ["completion-dropped"])
  }

  @Test func `options precede each kind of work`() {
    queue.suspend()
    queue.enqueue { [shop] in shop.log.append("plain") }
    queue.enqueue(.priority(.high), .label("a")) { [shop] in shop.log.append("high") }
    queue.enqueue(.priority(.high)) { [shop] () async in shop.log.append("high, asynchronous") }
    queue.enqueueWithCompletion(.priority(.high)) { [shop] done in
      shop.log.append("high, with completion")
      done()
    }
    queue.resume()
    shop.runtime.runUntilIdle()
    #expect(
      shop.log.entries == ["high", "high, asynchronous", "high, with completion", "plain"])
  }
}
