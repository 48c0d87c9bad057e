import AsyncSimulation
import PatternTesting
import Promises
import Testing

@Suite struct CancellationTests {
  private let runtime = SimulatedRuntime()
  private let log = Log()

  private typealias Pair = (
    promise: Promise<Int, any Error>, resolver: Promise<Int, any Error>.Resolver
  )

  private func pair(
    _ placement: Placement = .inline, cancellation: Cancellation? = nil,
    whenUnused: UnusedPolicy = .keep
  ) -> Pair {
    Promise.withResolvers(
      on: placement, runtime: runtime, cancellation: cancellation, whenUnused: whenUnused)
  }

  @Test func `cancelling settles the promise immediately and differs from a failure`() {
    let (promise, resolver) = pair()
    promise
      .map { [log] value in
        log.append("map")
        return value
      }
      .catch { [log] _ in log.append("a failure") }
      .catch(.all) { [log] error in log.append("\(error is CancellationError)") }
    #expect(promise.cancel())
    #expect(promise.isCancelled)
    #expect(log.entries == ["true"])
    #expect(!promise.cancel())
    resolver.fulfill(1)
    #expect(promise.isCancelled)
  }

  @Test func `a failure is not a cancellation`() {
    let (promise, resolver) = pair()
    promise.catch { [log] _ in log.append("a failure") }
    resolver.reject(StepFailure("no such page"))
    #expect(!promise.isCancelled)
    #expect(!promise.cancel())
    #expect(log.entries == ["a failure"])
  }

  @Test func `resolving a cancelled promise has no effect`() {
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    let (promise, resolver) = Promise<Int, any Error>.withResolvers(runtime: runtime)
    promise.cancel()
    #expect(resolver.isCancelled)
    resolver.fulfill(1)
    #expect(!resolver.tryResolve(.success(2)))
    runtime.runUntilIdle()
    #expect(recording.misuse == [])
  }

  @Test func `a cancellation handler is called once, even if it is added afterwards`() {
    let (promise, resolver) = pair()
    resolver.onCancel { [log] in log.append("notified") }
    promise.cancel()
    promise.cancel()
    resolver.onCancel { [log] in log.append("notified late") }
    #expect(log.entries == ["notified", "notified late"])
  }

  @Test func `a cancellation handler of a settled promise is not called`() {
    let (promise, resolver) = pair()
    resolver.onCancel { [log] in log.append("notified") }
    resolver.fulfill(1)
    promise.cancel()
    resolver.onCancel { [log] in log.append("notified late") }
    #expect(log.entries == [])
  }

  @Test func `a handler that is queued on its scheduler no longer runs`() {
    let (promise, resolver) = pair(.main)
    let next = promise.map { [log] value in
      log.append("map")
      return value
    }
    resolver.fulfill(1)
    next.cancel()
    #expect(next.isCancelled)
    runtime.runUntilIdle()
    #expect(log.entries == [])
  }

  @Test func `a removed handler releases its captures`() {
    let (promise, resolver) = pair()
    weak var held: Log?
    do {
      let mine = Log()
      held = mine
      promise.whenComplete { _ in mine.append("notified") }.cancel()
    }
    #expect(held == nil)
    resolver.fulfill(1)
  }

  @Test func `after many handlers are removed, the others run in order`() {
    let (promise, resolver) = pair()
    let handlers = (0..<100).map { number in
      promise.whenComplete { [log] _ in log.append("\(number)") }
    }
    for number in 0..<100 where number % 10 != 3 { handlers[number].cancel() }
    promise.whenComplete { [log] _ in log.append("last") }
    resolver.fulfill(1)
    #expect(log.entries == stride(from: 3, to: 100, by: 10).map { "\($0)" } + ["last"])
  }

  @Test(arguments: ["map", "tryMap", "then", "get", "recover", "whenComplete"])
  func `it takes effect immediately, even while the handler runs`(_ link: String) {
    let (promise, resolver) = pair()
    let cancel = Locked<(@Sendable () -> Bool)?>(nil)
    let handler: @Sendable () -> Int = { [log] in
      log.append("\(cancel.withLock { $0 }?() ?? false)")
      return 7
    }
    func keep<Value, Failure>(_ made: Promise<Value, Failure>) {
      cancel.withLock { $0 = { made.cancel() } }
      made.catch(.all) { [log] error in log.append("\(error is CancellationError)") }
    }
    switch link {
    case "map": keep(promise.map { _ in handler() })
    case "tryMap": keep(promise.tryMap { _ in handler() })
    case "then": keep(promise.then { _ in .fulfilled(handler(), on: .inline) })
    case "get": keep(promise.get { _ in _ = handler() })
    case "recover": keep(promise.recover(from: StepFailure.self) { _ in handler() })
    default:
      let made = promise.whenComplete { _ in _ = handler() }
      cancel.withLock { $0 = { made.cancel() } }
    }
    if link == "recover" { resolver.reject(StepFailure("no page")) } else { resolver.fulfill(1) }
    #expect(log.entries == (link == "whenComplete" ? ["true"] : ["true", "true"]))
  }

  // MARK: Upwards

  @Test(arguments: [UnusedPolicy.keep, .cancel])
  func `removing the last handler cancels a promise that asked for it`(_ whenUnused: UnusedPolicy) {
    let (promise, resolver) = pair(whenUnused: whenUnused)
    resolver.onCancel { [log] in log.append("work stops") }
    let (left, right) = (promise.map { $0 + 1 }.map { $0 + 1 }, promise.map { $0 * 2 })
    left.cancel()
    #expect(log.entries == [])
    #expect(!promise.isCancelled)
    right.cancel()
    #expect(promise.isCancelled == (whenUnused == .cancel))
    #expect(log.entries == (whenUnused == .cancel ? ["work stops"] : []))
    resolver.tryResolve(.success(1))
  }

  @Test func `an adopted promise can lose its dependent, too`() {
    let (outer, resolver) = pair()
    let (inner, innerResolver) = pair(whenUnused: .cancel)
    innerResolver.onCancel { [log] in log.append("work stops") }
    let next = outer.then { _ in inner }
    resolver.fulfill(1)
    next.cancel()
    #expect(next.isCancelled)
    #expect(log.entries == ["work stops"])
  }

  @Test func `cancelling a promise in the middle reaches the promise that adopted it`() {
    let (first, resolveFirst) = pair()
    let (second, resolveSecond) = pair()
    let (last, resolveLast) = pair(whenUnused: .cancel)
    resolveLast.onCancel { [log] in log.append("work stops") }
    let inner = second.then { _ in last }
    let outer = first.then { _ in inner }
    resolveFirst.fulfill(1)
    resolveSecond.fulfill(2)
    inner.cancel()
    #expect(inner.isCancelled)
    #expect(outer.isCancelled)
    #expect(log.entries == ["work stops"])
  }

  @Test(.unlessThreadSanitized)
  func `a chain of a million is cancelled from its end without deep recursion`() {
    let (promise, resolver) = pair(whenUnused: .cancel)
    resolver.onCancel { [log] in log.append("work stops") }
    var last = promise
    for _ in 1...1_000_000 { last = last.map { $0 + 1 } }
    last.cancel()
    #expect(promise.isCancelled)
    #expect(log.entries == ["work stops"])
  }

  // MARK: Downwards

  @Test func `a token cancels the pending promises of a chain, and no handler starts`() {
    let token = Cancellation()
    let (promise, resolver) = pair(.main, cancellation: token)
    let next = promise.map { [log] value in
      log.append("map")
      return value
    }
    resolver.fulfill(1)
    token.cancel()
    runtime.runUntilIdle()
    #expect(next.isCancelled)
    #expect(!promise.isCancelled)
    #expect(log.entries == [])
  }

  @Test func `a token reaches a chain that waits for another promise`() {
    let token = Cancellation()
    let (promise, resolver) = pair(cancellation: token)
    let (inner, innerResolver) = pair()
    let next = promise.then { _ in inner }
    resolver.fulfill(1)
    token.cancel()
    #expect(next.isCancelled)
    #expect(!inner.isCancelled)
    innerResolver.fulfill(2)
  }

  @Test func `a token can be attached in the middle of a chain`() {
    let token = Cancellation()
    let (promise, resolver) = pair()
    let next = promise.map { $0 + 1 }.until(token).map { $0 + 1 }
    token.cancel()
    #expect(next.isCancelled)
    #expect(promise.current == nil)
    resolver.fulfill(1)
    #expect(promise.current != nil)
  }

  @Test func `awaiting works after a token has cancelled the chain`() async {
    let token = Cancellation()
    let kept = Promise<Int, any Error>.fulfilled(3, on: .inline).until(token)
    let never = Promise<Int, Never>.fulfilled(4, on: .inline).until(token)
    let (pending, resolver) = pair(cancellation: token)
    token.cancel()
    #expect(try! await kept.value == 3)
    #expect(await never.value == 4)
    await #expect(throws: CancellationError.self) { try await pending.value }
    resolver.tryResolve(.success(1))
  }

  @Test func `a token ends a wait in progress with a cancellation`() async {
    let token = Cancellation()
    let (pending, resolver) = pair(cancellation: token)
    let wait = Task { await pending.result }
    for _ in 1...10 { await Task.yield() }
    token.cancel()
    let result = await wait.value
    #expect(throws: CancellationError.self) { try result.get() }
    resolver.tryResolve(.success(1))
  }

  @Test func `a used token cancels immediately`() {
    let token = Cancellation()
    token.cancel()
    let (promise, resolver) = pair(cancellation: token)
    #expect(promise.isCancelled)
    resolver.tryResolve(.success(1))
  }

  // MARK: Types that cannot express a cancellation

  @Test func `a promise whose error type cannot express a cancellation releases its handlers`() {
    let (promise, resolver) = Promise<Int, Never>.withResolvers(on: .inline, runtime: runtime)
    promise.whenComplete { [log] _ in log.append("notified") }
    promise.tryMap { $0 }.whenComplete { [log] result in
      if case .failure(is CancellationError) = result { log.append("cancelled") }
    }
    promise.cancel()
    resolver.tryResolve(.success(1))
    #expect(promise.isCancelled)
    #expect(promise.current == nil)
    #expect(log.entries == ["cancelled"])
  }
}
