import AsyncSimulation
import PatternTesting
import Promises
import Testing

/// A promise that can never be settled is released, and nothing waits for it.
@Suite struct ReleaseTests {
  private enum Broken: Error { case broken }
  private typealias Typed = Promise<Int, Broken>

  private let runtime = SimulatedRuntime(workers: 2)

  private func pair<Failure: Error>(
    _: Failure.Type, whenUnused: UnusedPolicy = .keep
  ) -> (promise: Promise<Int, Failure>, resolver: Promise<Int, Failure>.Resolver) {
    Promise.withResolvers(on: .inline, runtime: runtime, whenUnused: whenUnused)
  }

  /// Runs until no work is left.
  private func settle() { runtime.runUntilIdle() }

  /// A request that keeps its callback and is cancelled with its promise.
  private final class Request: Sendable {
    private let callback: @Sendable (Int) -> Void
    init(_ callback: @escaping @Sendable (Int) -> Void) { self.callback = callback }
    func answer() { callback(1) }
    func cancel() {}
  }

  @Test(arguments: [true, false])
  func `a settled promise releases the work that it would have cancelled`(isEarly: Bool) {
    weak var held: Request?
    let (promise, resolver) = pair(Broken.self)
    do {
      let request = Request { resolver.fulfill($0) }
      held = request
      if isEarly { request.answer() }
      resolver.onCancel { request.cancel() }
      if !isEarly { request.answer() }
    }
    #expect(promise.fulfilled == 1)
    #expect(held == nil)
  }

  @Test func `a handler of an adopted promise is released with the promise that it waits for`() {
    weak var held: Log?
    let (first, resolveFirst) = pair(Broken.self)
    let (second, resolveSecond) = pair(Broken.self)
    let (last, resolveLast) = pair(Broken.self)
    do {
      let log = Log()
      held = log
      let inner = second.then { _ in last }
      _ = first.then { _ in inner }
      resolveFirst.fulfill(1)
      resolveSecond.fulfill(2)
      inner.whenComplete { _ in log.append("notified") }
    }
    #expect(held != nil)
    last.cancel()
    #expect(held == nil)
    resolveLast.tryResolve(.success(1))
  }

  @Test func `a forwarded promise is cancelled with its target, whatever its error type`() {
    let (first, resolveFirst) = pair(Broken.self)
    let (second, resolveSecond) = pair(Broken.self)
    let (last, _) = pair(Broken.self)
    let inner = second.then { _ in last }
    let outer = first.then { _ in inner }
    resolveFirst.fulfill(1)
    resolveSecond.fulfill(2)
    last.cancel()
    #expect(outer.isCancelled)
    #expect(inner.isCancelled)
  }

  @Test func `a token cancels a wait for a promise of another chain, however it is adopted`() {
    let token = Cancellation()
    let (first, resolveFirst) = pair((any Error).self)
    let (second, resolveSecond) = pair((any Error).self)
    let (last, resolveLast) = pair((any Error).self)
    let inner = second.until(token).then { _ in last }
    let outer = first.then { _ in inner }
    resolveFirst.fulfill(1)
    resolveSecond.fulfill(2)
    token.cancel()
    #expect(inner.isCancelled)
    #expect(outer.isCancelled)
    resolveLast.fulfill(3)
    #expect(last.fulfilled == 3)
  }

  @Test func `a lazy promise with a token waits for a handler`() {
    let (log, token) = (Log(), Cancellation())
    let lazy = Promise<Int, any Error>.lazy(on: .inline, runtime: runtime, cancellation: token) {
      resolver in
      log.append("begins")
      resolver.fulfill(1)
    }
    #expect(log.entries == [])
    lazy.whenComplete { _ in log.append("notified") }
    #expect(log.entries == ["begins", "notified"])
  }

  @Test func `an unused lazy promise leaves nothing registered with its token`() {
    weak var held: Cancellation?
    do {
      let token = Cancellation()
      held = token
      _ = Promise<Int, any Error>.lazy(on: .inline, runtime: runtime, cancellation: token) {
        $0.fulfill(1)
      }
    }
    #expect(held == nil)
  }

  @Test func `a lazy promise that its token cancels never starts`() {
    let (log, token) = (Log(), Cancellation())
    let lazy = Promise<Int, any Error>.lazy(on: .inline, runtime: runtime, cancellation: token) {
      _ in
      log.append("begins")
    }
    token.cancel()
    lazy.start()
    _ = lazy.map { $0 }
    #expect(log.entries == [])
    #expect(lazy.isCancelled)
  }

  @Test func `waiting ends when a promise is released unsettled`() {
    let refusals = Log()
    let resolver = Locked<Typed.Resolver?>(nil)
    let promise = Typed(runtime: runtime) { made in resolver.withLock { $0 = made } }
    runtime.pool.schedule {
      do {
        _ = try promise.wait()
      } catch {
        refusals.append("\(error)")
      }
    }
    runtime.pool.schedule(after: .ms(5)) {
      let dropped = resolver.withLock { $0.take() }
      withExtendedLifetime(dropped) {}
    }
    settle()
    #expect(refusals.entries.count == 1)
    #expect(refusals.entries.allSatisfy { $0.contains("released") })
  }

  /// A closed scheduler, which drops its jobs.
  private struct Closed: Scheduler {
    var now: Instant { .zero }

    func schedule(_ job: @escaping @Sendable () -> Void) {}

    func schedule(
      after delay: Duration, _ job: @escaping @Sendable () -> Void
    ) -> any Cancellable { SimulatedRuntime().pool.schedule(after: delay, job) }
  }

  @Test func `a scheduler that drops its jobs releases the chain`() {
    weak var held: Log?
    let (promise, resolver) = pair((any Error).self)
    do {
      let log = Log()
      held = log
      promise.map(on: .scheduler(Closed())) { $0 + 1 }.whenComplete { _ in log.append("notified") }
    }
    #expect(held != nil)
    resolver.fulfill(1)
    #expect(held == nil)
  }

  @Test(.unlessThreadSanitized)
  func `releasing a promise at the start of a long loop needs no stack`() {
    let log = Log()
    do {
      let (outer, resolveOuter) = pair((any Error).self)
      let (first, resolveFirst) = pair((any Error).self)
      outer.whenComplete { _ in log.append("end") }
      resolveOuter.resolve(with: first)
      var resolver = resolveFirst
      for _ in 0..<200_000 {
        let (next, resolveNext) = pair((any Error).self)
        resolver.resolve(with: next)
        resolver = resolveNext
      }
      resolver.fulfill(7)
      #expect(first.fulfilled == 7)
    }
    #expect(log.entries == ["end"])
  }
}
