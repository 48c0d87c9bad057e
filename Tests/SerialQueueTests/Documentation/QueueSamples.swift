import AsyncSimulation
import PatternTesting
import SerialQueue
import Testing

/// The queue's page, section by section.
@Suite struct QueueSamples {
  let runtime: SimulatedRuntime
  let recording = Recording()
  let log = Log()
  let server: Server
  let queue: SerialQueue

  init() {
    runtime = SimulatedRuntime(trace: recording)
    server = Server(runtime: runtime, log: log)
    queue = SerialQueue("uploads", runtime: runtime)
  }

  func upload(_ name: String, completion: @escaping @Sendable () -> Void) {
    server.upload(name, completion: completion)
  }

  func download(_ name: String) async throws -> String { try await server.download(name) }

  /// The misuse that the runtime has recorded.
  var misuses: [String] { recording.events.filter { $0.kind == .misuse }.map(\.name) }

  @Test func `the landing page's fix`() async throws {
    let names = ["a", "b"]
    // The code of the page makes its own queue, which is on the live runtime. So its uploads are there too.
    @Sendable func upload(_ name: String, completion: @escaping @Sendable () -> Void) {
      log.append("\(name) starts")
      LiveRuntime.shared.pool.schedule {
        log.append("\(name) ends")
        completion()
      }
    }

    let queue = SerialQueue("uploads")
    for name in names {
      queue.enqueueWithCompletion { done in upload(name) { done() } }
    }
    try await queue.drain()
    #expect(log.entries == ["a starts", "a ends", "b starts", "b ends"])
  }

  @Test func `order`() throws {
    queue.enqueueWithCompletion { done in upload("a") { done() } }  // a completion handler
    let text = queue.enqueue { try await download("b") }  // an asynchronous function
    queue.enqueue { log.append("b is here") }  // a synchronous function

    runtime.runUntilIdle()
    #expect(log.entries == ["a starts", "a ends", "b starts", "b ends", "b is here"])
    withExtendedLifetime(text) {}
  }

  @Test func `done as a closure`() {
    queue.enqueueWithCompletion { done in upload("c", completion: done.closure) }
    let size = queue.enqueueWithCompletion(of: Int.self) { done in
      server.size(of: "c", completion: done.closure)
    }

    size.onCompletion { result in log.append("\(result)") }
    runtime.runUntilIdle()
    #expect(log.entries == ["c starts", "c ends", "success(1)"])
  }

  @Test func `results`() async throws {
    let size = queue.enqueueWithCompletion(of: Int.self) { done in
      server.size(of: "a") { done($0) }
    }
    let text = queue.enqueue { try await download("b") }

    size.onCompletion { result in log.append("\(result)") }  // called back
    let reading = runtime.task { try await text.value }  // or awaited

    runtime.runUntilIdle()
    #expect(log.entries.first == "success(1)")
    #expect(try await reading.value == "b!")
  }

  @Test func `exactly once`() {
    queue.enqueueWithCompletion { done in
      done()
      done()  // reported as completed-twice, and ignored
    }
    queue.enqueueWithCompletion { done in
      // releases done: reported as completion-dropped, and the item ends
    }
    queue.enqueue { log.append("continues") }

    runtime.runUntilIdle()
    #expect(misuses == ["completed-twice", "completion-dropped"])
    #expect(log.entries == ["continues"])
  }

  @Test func `width`() {
    let queue = SerialQueue("downloads", width: 3, runtime: runtime)
    for name in ["a", "b", "c", "d"] {
      queue.enqueueWithCompletion { done in upload(name) { done() } }
    }
    #expect(queue.count == 4)
    runtime.runUntilIdle()
    #expect(log.entries.prefix(3) == ["a starts", "b starts", "c starts"])
    #expect(runtime.now == .zero.advanced(by: .milliseconds(20)))
  }

  @Test func `barriers`() {
    let queue = SerialQueue("files", width: 4, runtime: runtime)
    queue.enqueueWithCompletion { done in upload("a") { done() } }
    queue.enqueueWithCompletion { done in upload("b") { done() } }
    queue.enqueue(.barrier) { log.append("a and b have ended, and nothing else runs") }
    queue.enqueueWithCompletion { done in upload("c") { done() } }

    runtime.runUntilIdle()
    #expect(log.entries.prefix(2) == ["a starts", "b starts"])
    #expect(log.entries[4] == "a and b have ended, and nothing else runs")
    #expect(log.entries.suffix(2) == ["c starts", "c ends"])
  }

  @Test func `priorities`() {
    queue.suspend()
    queue.enqueue(.priority(.low)) { log.append("thumbnails") }
    queue.enqueue { log.append("the page") }
    queue.enqueue(.priority(.high)) { log.append("the touched image") }
    queue.resume()

    runtime.runUntilIdle()
    #expect(log.entries == ["the touched image", "the page", "thumbnails"])
  }

  @Test func `coalescing`() {
    queue.suspend()
    for size in 1...3 {
      queue.enqueue(.key("layout", .latestWins)) { log.append("layout \(size)") }
    }
    for reason in ["edited", "closed"] {
      queue.enqueue(.key("save", .firstWins)) { log.append("save: \(reason)") }
    }
    queue.resume()

    runtime.runUntilIdle()
    #expect(log.entries == ["layout 3", "save: edited"])
  }

  @Test func `timeouts`() {
    let item = queue.enqueueWithCompletion(.timeout(.seconds(5))) { done in
      let request = server.longPoll { done() }
      done.onCancel { request.cancel() }
    }
    item.onCompletion { result in
      if case .failure(let error) = result { log.append("\(error)") }
    }
    queue.enqueue { log.append("continues") }

    runtime.runUntilIdle()
    #expect(runtime.now == .zero.advanced(by: .seconds(5)))
    #expect(log.entries.contains("the long poll is cancelled"))
    #expect(log.entries.last == "continues")
    #expect(log.entries.contains { $0.contains("5s") })
  }

  @Test func `cancellation`() async throws {
    queue.enqueueWithCompletion { done in upload("a") { done() } }
    let item = queue.enqueue { log.append("never") }
    item.cancel()

    let value = runtime.task {
      let text = try await queue.run { try await download("b") }
      return text
    }
    value.cancel()  // ends the item as well

    queue.cancelPending()  // queued items never start
    queue.cancelAll()  // running items are notified, too

    runtime.runUntilIdle()
    #expect(!log.entries.contains("never"))
    await #expect(throws: CancellationError.self) { try await item.value }
    await #expect(throws: CancellationError.self) { try await value.value }
  }

  @Test func `suspending`() {
    queue.suspend()
    queue.enqueue { log.append("later") }
    #expect(queue.isSuspended)
    queue.resume()
    runtime.runUntilIdle()
    #expect(log.entries == ["later"])
  }

  @Test func `failures`() async {
    let queue = SerialQueue("migration", onFailure: .stop, runtime: runtime)
    _ = queue.enqueue { throw NotFound() }
    let next = queue.enqueue { log.append("never") }

    runtime.runUntilIdle()
    await #expect(throws: SerialQueueError.self) { try await next.value }
    queue.resume()
    queue.enqueue { log.append("anew") }
    runtime.runUntilIdle()
    #expect(log.entries == ["anew"])
  }

  @Test func `the first failure cancels all others`() {
    let queue = SerialQueue("downloads", width: 2, runtime: runtime)
    let names = ["a", "none", "b"]
    @Sendable func download(_ name: String) async throws {
      log.append("\(name) starts")
      guard name != "none" else { throw NotFound() }
      try await Task.sleep(for: .seconds(60))
      log.append("\(name) ends")
    }

    for name in names {
      queue.enqueue { try await download(name) }.onCompletion { result in
        if case .failure = result { queue.cancelAll() }
      }
    }

    runtime.runUntilIdle()
    #expect(Set(log.entries) == ["a starts", "none starts"])
    #expect(runtime.now == .zero && queue.count == 0)
  }

  @Test func `a test on virtual time`() {
    let runtime = SimulatedRuntime()
    let queue = SerialQueue("downloads", width: 3, runtime: runtime)
    for _ in 1...20 {
      queue.enqueue { try await Task.sleep(for: .seconds(60)) }
    }
    runtime.runUntilIdle()
    #expect(runtime.now == .zero.advanced(by: .seconds(420)))
  }

  @Test func `idle and drained`() async throws {
    let watching = queue.onIdle { log.append("nothing to do") }  // each time
    queue.enqueueWithCompletion { done in upload("a") { done() } }
    queue.onDrained { log.append("a has ended") }  // once

    runtime.runUntilIdle()
    watching.cancel()
    #expect(log.entries.suffix(2).sorted() == ["a has ended", "nothing to do"])
  }

  @Test func `a bound`() async throws {
    let queue = SerialQueue("frames", bound: 2, runtime: runtime)
    let producing = runtime.task {
      for name in ["a", "b", "c", "d"] {
        // Suspends while there are two in the queue.
        try await queue.enqueueWhenRoom { try await download(name) }
      }
    }

    runtime.runUntilIdle()
    try await producing.value
    #expect(log.entries.suffix(2) == ["d starts", "d ends"])
  }

  @Test func `lifetime`() {
    func start() {
      let queue = SerialQueue("short-lived", runtime: runtime)
      queue.enqueueWithCompletion { done in upload("a") { done() } }
      queue.enqueueWithCompletion { done in upload("b") { done() } }
    }  // no reference to the queue is left, but both uploads still finish

    start()
    runtime.runUntilIdle()
    #expect(log.entries.last == "b ends")
  }

  @Test func `re-entrance`() {
    queue.enqueue {
      log.append("first")
      queue.enqueue { log.append("third: at the end of the queue") }
    }
    queue.enqueue { log.append("second") }

    runtime.runUntilIdle()
    #expect(log.entries == ["first", "second", "third: at the end of the queue"])
  }

  @Test func `an item that awaits its own queue`() async throws {
    let outer = queue.enqueue {
      let inner = queue.enqueue { log.append("would have to wait for the outer one") }
      try await inner.value  // throws .selfAwait, and is reported
    }

    runtime.runUntilIdle()
    await #expect(throws: SerialQueueError.self) { try await outer.value }
    #expect(misuses.count == 1)
  }

  @Test(.unlessThreadSanitized) func `no stack`() {
    let count = Locked(0)
    for _ in 1...100_000 {
      queue.enqueueWithCompletion { done in
        count.withLock { $0 += 1 }
        done()
      }
    }
    runtime.runUntilIdle()
    #expect(count.withLock { $0 } == 100_000)
  }

  @Test func `handler chains`() {
    let chain = HandlerChain(
      [
        { then in upload("a") { then() } },
        { then in upload("b") { then() } },
      ], runtime: runtime)
    chain.append { then in upload("c") { then() } }
    chain.onCompletion { log.append("all three") }

    runtime.runUntilIdle()
    #expect(log.entries.suffix(3) == ["c starts", "c ends", "all three"])
  }
}

struct NotFound: Error {}
