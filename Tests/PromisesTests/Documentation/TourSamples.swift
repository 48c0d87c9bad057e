import AsyncSimulation
import PatternTesting
import Promises
import Testing

/// The tour of the landing page, section by section.
@Suite struct TourSamples {
  struct NotFound: Error {}

  /// Answers immediately, on the calling thread.
  struct Server: Sendable {
    struct Request: Sendable {
      let log: Log
      func cancel() { log.append("cancelled") }
    }

    let log: Log
    let polls = Locked<[@Sendable (Result<String, any Error>) -> Void]>([])

    func download(_ url: String, _ done: (Result<String, any Error>) -> Void) {
      done(.success("page " + url))
    }

    func longPoll(_ done: @escaping @Sendable (Result<String, any Error>) -> Void) -> Request {
      polls.withLock { $0.append(done) }
      return Request(log: log)
    }
  }

  let runtime = SimulatedRuntime()
  let log: Log
  let server: Server
  let url = "a"

  init() {
    log = Log()
    server = Server(log: log)
  }

  func download(_ url: String) -> Promise<String, any Error> { .fulfilled("page " + url) }
  @Sendable func fetch(_ url: String) async throws -> String { "page " + url }
  @Sendable func parse(_ page: String) throws -> [Substring] { page.split(separator: " ") }
  @Sendable func store(_ items: [Substring]) -> Promise<Int, any Error> { .fulfilled(items.count) }
  func look(up name: String) -> Promise<Int, NotFound> {
    name == "b" ? .fulfilled(2) : .rejected(NotFound())
  }

  /// Calls `body`, whose promises run on the virtual main lane by default, and runs until no work is left.
  func simulate(_ body: () throws -> Void) rethrows {
    try withPromiseDefaults(runtime: runtime, body)
    runtime.runUntilIdle()
  }

  @Test func `a chain`() {
    simulate {
      let stored = download(url)
        .map { try parse($0) }
        .then { store($0) }
      stored.done { log.append("stored \($0) items") }
      stored.catch { log.append("could not: \($0)") }
    }
    #expect(log.entries == ["stored 2 items"])
  }

  @Test func `making one`() async throws {
    let page = Promise<String, any Error> { resolver in
      server.download(url) { resolver.resolve($0) }
    }
    let (answer, resolver) = Promise<Int, Never>.withResolvers()
    resolver.fulfill(42)
    let known = Promise<Int, any Error>.fulfilled(42)
    let wrong = Promise<Int, any Error>.rejected(NotFound())
    let tried = Promise.try { try parse("a b c") }
    let awaited = Promise { try await fetch(url) }
    let onDemand = Promise.lazy { try await fetch(url) }
    #expect(page.fulfilled == "page a" && answer.fulfilled == 42 && known.fulfilled == 42)
    #expect(wrong.current != nil && tried.fulfilled?.count == 3)
    #expect(try await awaited.value == "page a")
    #expect(onDemand.current == nil)
    #expect(try await onDemand.value == "page a")
  }

  @Test func `callbacks`() {
    func legacy(_ url: String, _ done: (String?, (any Error)?) -> Void) { done(url, nil) }
    let quick = Promise.fromValueOrError { done in legacy(url, done) }
    let careful = Promise.fromValueOrError { done in
      log.append("asking for \(url)")
      legacy(url, done)
    }
    #expect(quick.fulfilled == "a" && careful.fulfilled == "a")
  }

  @Test func `errors`() {
    simulate {
      let number: Promise<Int, NotFound> = look(up: "a")
      let text: Promise<String, NotFound> = number.map { "\($0)" }
      let sure: Promise<Int, Never> = number.recover { _ in 0 }
      let other: Promise<Int, any Error> = number.eraseToAnyError()
      let fallback = number.flatMapError { _ in look(up: "b") }
      number.catch { log.append("\($0)") }
      other.catch(NotFound.self) { _ in log.append("not there") }
      let partly = other.recover(from: NotFound.self) { _ in 0 }
      runtime.runUntilIdle()
      #expect(text.current != nil && sure.fulfilled == 0 && fallback.fulfilled == 2)
      #expect(partly.fulfilled == 0)
    }
    #expect(log.entries.sorted() == ["NotFound()", "not there"])
  }

  @Test func `unhandled failures`() {
    @Sendable func look(for page: String) throws -> Int { throw NotFound() }
    func warmUp(_ url: String) -> Promise<Int, NotFound> { .rejected(NotFound()) }
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    withPromiseDefaults(runtime: runtime) {
      let stored = download(url).tryMap { try look(for: $0) }.map { $0 + 1 }
      stored.catch { _ in
        log.append("lost through \(stored.failureTrail?.links.count ?? 0) promises")
      }
      warmUp(url).ignoringFailure()
      let (shutdown, resolver) = Promise<Void, Never>.withResolvers()
      resolver.abandon()
      runtime.runUntilIdle()
      #expect(shutdown.current == nil)
    }
    runtime.runUntilIdle()
    #expect(log.entries == ["lost through 2 promises"])
    #expect(recording.misuse == [])
  }

  @Test func `several`() {
    simulate {
      let name = Promise<String, any Error>.fulfilled("Ada")
      let age = Promise<Int, any Error>.fulfilled(36)
      let both = Promise.all(name, age).map { name, age in "\(name), \(age)" }
      let list = Promise.all(["a", "b"].map { download($0) })
      let first = Promise.any(["a", "b"].map { download($0) })
      let fastest = Promise.race(["a", "b"].map { download($0) })
      let each = Promise.settled(["a", "b"].map { download($0) })
      let joined = Promise.join(["a", "b"].map { download($0) })
      let few = Promise.map(["a", "b", "c"], width: 2) { download($0) }
      runtime.runUntilIdle()
      #expect(both.fulfilled == "Ada, 36" && list.fulfilled == ["page a", "page b"])
      #expect(first.fulfilled == "page a" && fastest.fulfilled == "page a")
      #expect(each.fulfilled?.count == 2 && joined.fulfilled?.count == 2)
      #expect(few.fulfilled == ["page a", "page b", "page c"])
    }
  }

  @Test func `a link to an asynchronous function`() async throws {
    let size = download(url)
      .then { page in Promise { try await fetch(page) } }
      .map { $0.count }
    #expect(try await size.value == "page page a".count)
  }

  @Test func `time`() {
    simulate {
      let (page, resolver) = Promise<String, any Error>.withResolvers()
      let inTime = page.timeout(.seconds(5))
      let orNil = page.timeoutOrNil(.seconds(5))
      let later = page.delay(.milliseconds(100))
      let alarm = Promise<Void, Never>.after(.seconds(1))
      let again = Promise.retry(3, backoff: .exponential(.milliseconds(100))) { _ in download(url) }
      runtime.runUntilIdle()
      #expect(inTime.current != nil && inTime.fulfilled == nil && orNil.fulfilled == .some(nil))
      #expect(alarm.fulfilled != nil && again.fulfilled == "page a")
      resolver.fulfill("late")
      runtime.runUntilIdle()
      #expect(later.fulfilled == "late")
    }
  }

  @Test func `where handlers run`() throws {
    let length = withPromiseDefaults(on: .pool) {
      download(url).map { $0.count }
    }
    let shown = length.on(.main).map { "\($0) characters" }
    let quick = shown.map(on: .inline) { $0.uppercased() }
    #expect(try length.wait() == 6)
    #expect(shown.isCancelled == false && quick.isCancelled == false)
    simulate {
      let here = download(url).on(.main).map(on: .inline) { $0.uppercased() }
      runtime.runUntilIdle()
      #expect(here.fulfilled == "PAGE A")
    }
  }

  @Test func `cancellation`() {
    let cancellation = Cancellation()
    let page = Promise<String, any Error>(whenUnused: .cancel) { resolver in
      let request = server.longPoll { resolver.resolve($0) }
      resolver.onCancel { request.cancel() }
    }
    let chain = page.map { $0.count }.until(cancellation)
    cancellation.cancel()
    #expect(chain.isCancelled && page.isCancelled)
    #expect(log.entries == ["cancelled"])
  }

  @Test func `async functions`() async throws {
    let page = Promise<String, any Error>.fulfilled("page a")
    let text = try await page.value
    let result = await page.result
    #expect(try text == result.get())
  }

  @Test(.unlessThreadSanitized) func `no limits`() {
    @Sendable func count(from number: Int) -> Promise<Int, Never> {
      let next = Promise<Int, Never>.fulfilled(number + 1, on: .inline)
      return number == 100_000 ? next : next.then { count(from: $0) }
    }
    #expect(count(from: 0).fulfilled == 100_001)
  }
}
