import AsyncSimulation
import PatternTesting
import Promises
import Testing

@Suite struct PromiseTests {
  private let recording: Recording
  private let runtime: SimulatedRuntime
  private let log = Log()

  init() {
    recording = Recording()
    runtime = SimulatedRuntime(trace: recording)
  }

  private func pair<Success: Sendable, Failure: Error>(
    _ placement: Placement = .main
  ) -> (promise: Promise<Success, Failure>, resolver: Promise<Success, Failure>.Resolver) {
    Promise.withResolvers(on: placement, runtime: runtime)
  }

  private func write<Success: Sendable, Failure: Error>(
    _ name: String = ""
  ) -> @Sendable (Result<Success, Failure>) -> Void {
    { [log] result in
      switch result {
      case .success(let value): log.append("\(name)\(value)")
      case .failure(let error): log.append("\(name)failed: \(error)")
      }
    }
  }

  // MARK: Settling

  @Test func `the first call counts, the second is reported`() {
    let (promise, resolver): (Promise<Int, Never>, _) = pair()
    resolver.fulfill(1)
    resolver.fulfill(2)
    #expect(!resolver.tryResolve(.success(3)))
    promise.whenComplete(write())
    runtime.runUntilIdle()
    #expect(log.entries == ["1"])
    #expect(recording.misuse == ["completed-twice"])
  }

  @Test func `the executor runs immediately, and its error fails the promise`() {
    let promise = Promise<Int, StepFailure>(runtime: runtime) { _ throws(StepFailure) in
      log.append("runs")
      throw StepFailure("no such page")
    }
    #expect(log.entries == ["runs"])
    promise.whenComplete(write())
    runtime.runUntilIdle()
    #expect(log.entries == ["runs", "failed: no such page"])
    #expect(recording.misuse == [])
  }

  @Test func `a try runs immediately and yields its result`() {
    let value = Promise<Int, StepFailure>.try(runtime: runtime) {
      log.append("runs")
      return 1
    }
    let error = Promise<Int, StepFailure>.try(runtime: runtime) { () throws(StepFailure) in
      throw StepFailure("no such page")
    }
    #expect(log.entries == ["runs"])
    #expect(value.fulfilled == 1)
    #expect(throws: StepFailure("no such page")) { try error.current?.get() }
  }

  @Test func `an unused resolver is reported and fails its promise if the type allows it`() throws {
    let line = #line + 1
    let promise = Promise<Int, any Error>(runtime: runtime) { _ in }
    promise.whenComplete(write())
    Promise<Int, StepFailure>(runtime: runtime) { _ in }.whenComplete(write())
    runtime.runUntilIdle()
    #expect(recording.misuse == ["completion-dropped", "completion-dropped"])
    let entry = try #require(log.entries.first)
    #expect(entry.hasPrefix("failed: "))
    #expect(entry.contains("PromisesTests/PromiseTests.swift:\(line)"))
    #expect(log.entries.count == 1)
  }

  @Test func `a promise can be settled with another promise`() {
    let (outer, resolver): (Promise<Int, Never>, _) = pair()
    let (inner, innerResolver): (Promise<Int, Never>, _) = pair()
    outer.whenComplete(write())
    resolver.resolve(with: inner)
    resolver.resolve(.success(1))
    innerResolver.fulfill(2)
    runtime.runUntilIdle()
    #expect(log.entries == ["2"])
    #expect(recording.misuse == ["completed-twice"])
  }

  @Test func `a promise settled with itself is reported`() {
    let (promise, resolver): (Promise<Int, Never>, _) = pair()
    resolver.resolve(with: promise)
    runtime.runUntilIdle()
    #expect(recording.misuse == ["never-completed"])
  }

  // MARK: Operators

  @Test func `values flow down the chain`() {
    let (promise, resolver): (Promise<Int, Never>, _) = pair()
    promise
      .map { $0 + 1 }
      .then { [runtime] value in
        Promise(runtime: runtime) { resolver in
          runtime.pool.schedule(after: .ms(20)) { resolver.fulfill("page \(value)") }
        }
      }
      .ensure { [log] in log.append("ensure") }
      .whenComplete(write())
    resolver.fulfill(1)
    runtime.runUntilIdle()
    #expect(log.entries == ["ensure", "page 2"])
    #expect(runtime.now.nanoseconds == 20_000_000)
  }

  @Test func `a failure skips the handlers of values`() {
    let (promise, resolver): (Promise<Int, StepFailure>, _) = pair()
    promise
      .map { [log] value in
        log.append("map")
        return value
      }
      .then { [log, runtime] value in
        log.append("then")
        return .fulfilled(value, runtime: runtime)
      }
      .catch { [log] error in log.append("catch \(error)") }
      .ensure { [log] in log.append("ensure") }
      .recover { error in error.reason.count }
      .whenComplete(write())
    resolver.reject(StepFailure("four"))
    runtime.runUntilIdle()
    #expect(log.entries == ["catch four", "ensure", "4"])
  }

  @Test func `the error of a handler has the promise's type, or any type`() {
    let (promise, resolver): (Promise<Int, StepFailure>, _) = pair()
    promise
      .map { (_) throws(StepFailure) -> Int in throw StepFailure("typed") }
      .mapError { StepFailure("more \($0)") }
      .whenComplete(write())
    promise
      .tryMap { _ -> Int in throw CancellationError() }
      .whenComplete { [log] result in
        if case .failure(is CancellationError) = result { log.append("any") }
      }
    resolver.fulfill(1)
    runtime.runUntilIdle()
    #expect(log.entries.sorted() == ["any", "failed: more typed"])
  }

  @Test func `a chain that recovers from every error cannot fail`() {
    let (promise, resolver): (Promise<Int, StepFailure>, _) = pair()
    let safe: Promise<Int, Never> = promise.recover { _ in 0 }
    safe.whenComplete { [log] in log.append("\($0.get())") }
    resolver.reject(StepFailure("no such page"))
    runtime.runUntilIdle()
    #expect(log.entries == ["0"])
  }

  @Test func `all values arrive in order, the first failure immediately`() {
    let pairs:
      [(promise: Promise<Int, StepFailure>, resolver: Promise<Int, StepFailure>.Resolver)] =
        (0..<3).map { _ in pair() }
    Promise.all(pairs.map(\.promise)).whenComplete(write())
    Promise.all(pairs.prefix(2).map(\.promise)).whenComplete(write())
    pairs[1].resolver.fulfill(1)
    pairs[0].resolver.fulfill(0)
    pairs[2].resolver.reject(StepFailure("no such page"))
    runtime.runUntilIdle()
    #expect(log.entries == ["[0, 1]", "failed: no such page"])
  }

  // MARK: Where and when handlers run

  @Test(arguments: [Placement.main, .pool, .inline])
  func `handlers run in the order they were added, even while others run`(
    _ placement: Placement
  ) {
    let runtime = SimulatedRuntime(workers: 1)
    let (promise, resolver) = Promise<Int, Never>.withResolvers(on: placement, runtime: runtime)
    promise.whenComplete { [log] _ in
      log.append("1")
      promise.whenComplete { _ in log.append("4") }
    }
    promise.whenComplete { [log] _ in log.append("2") }
    promise.whenComplete { [log] _ in log.append("3") }
    resolver.fulfill(0)
    runtime.runUntilIdle()
    #expect(log.entries == ["1", "2", "3", "4"])
  }

  @Test func `handlers run on the run loop by default`() {
    let (promise, resolver): (Promise<Int, Never>, _) = pair()
    let lanes = Locked<[Lane]>([])
    let note: @Sendable (Int) -> Int = { value in
      lanes.withLock { $0.append(LaneContext.current.lane) }
      return value
    }
    promise.map(note).map(on: .pool, note).map(note).whenComplete(on: .inline, write())
    resolver.fulfill(7)
    #expect(log.entries == [])
    runtime.runUntilIdle()
    #expect(lanes.withLock { $0 } == [.main, Lane(number: 1), .main])
    #expect(log.entries == ["7"])
  }

  @Test func `inline handlers have run when the settling call returns`() {
    let (promise, resolver): (Promise<Int, Never>, _) = pair(.inline)
    promise.map { $0 + 1 }.whenComplete(write("before "))
    resolver.fulfill(1)
    #expect(log.entries == ["before 2"])
    promise.whenComplete(write("after "))
    #expect(log.entries == ["before 2", "after 1"])
  }

  @Test func `a handler that settles another promise is not interrupted`() {
    let (a, resolveA): (Promise<Int, Never>, _) = pair(.inline)
    let (b, resolveB): (Promise<Int, Never>, _) = pair(.inline)
    b.whenComplete(write("b "))
    a.whenComplete { [log] _ in
      resolveB.fulfill(2)
      log.append("a's first")
    }
    a.whenComplete { [log] _ in log.append("a's second") }
    resolveA.fulfill(1)
    #expect(log.entries == ["a's first", "a's second", "b 2"])
  }

  // MARK: No limits

  @Test(.unlessThreadSanitized) func `a million synchronous links need no stack`() {
    let (first, resolver): (Promise<Int, Never>, _) = pair(.inline)
    var last = first
    for _ in 1...1_000_000 { last = last.map { $0 + 1 } }
    last.whenComplete(write())
    resolver.fulfill(0)
    #expect(log.entries == ["1000000"])
  }

  @Test(.unlessThreadSanitized) func `a loop of then on settled promises needs no stack`() {
    let runtime = runtime
    @Sendable func count(_ left: Int) -> Promise<Int, Never> {
      let step = Promise<Int, Never>.fulfilled(left, on: .inline, runtime: runtime)
      return left == 0 ? step : step.then { count($0 - 1) }
    }
    count(100_000).whenComplete(write())
    #expect(log.entries == ["0"])
  }

  @Test(.unlessThreadSanitized) func `dropping a long chain of pending promises needs no stack`() {
    weak var held: Log?
    do {
      let (first, resolver): (Promise<Int, StepFailure>, _) = pair(.inline)
      let atTheEnd = Log()
      held = atTheEnd
      var last = first
      for _ in 1...100_000 { last = last.map { $0 + 1 } }
      last.whenComplete { _ in atTheEnd.append("never") }
      _ = resolver
    }
    runtime.runUntilIdle()
    #expect(recording.misuse == ["completion-dropped"])
    #expect(held == nil)
  }
}
