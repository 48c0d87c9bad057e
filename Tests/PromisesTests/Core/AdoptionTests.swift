import AsyncSimulation
import PatternTesting
import Promises
import Testing

@Suite struct AdoptionTests {
  private let recording: Recording
  private let runtime: SimulatedRuntime
  private let log = Log()

  private typealias Pair<Failure: Error> = (
    promise: Promise<Int, Failure>, resolver: Promise<Int, Failure>.Resolver
  )

  init() {
    recording = Recording()
    runtime = SimulatedRuntime(trace: recording)
  }

  private func pair<Failure: Error>(_: Failure.Type = (any Error).self) -> Pair<Failure> {
    Promise.withResolvers(on: .inline, runtime: runtime)
  }

  // MARK: Cycles

  @Test(arguments: [1, 2, 3, 7])
  func `a cycle is rejected with an error that names its promises`(_ length: Int) throws {
    let pairs: [Pair<any Error>] = (0..<length).map { _ in pair() }
    for index in 0..<length {
      pairs[index].resolver.resolve(with: pairs[(index + 1) % length].promise)
    }
    for (promise, _) in pairs {
      guard case .failure(let error as PromiseCycle)? = promise.current else {
        Issue.record("it was not rejected: \(String(describing: promise.current))")
        continue
      }
      #expect(error.sites.count == length)
      #expect(error.description.contains("waits for itself"))
    }
    #expect(recording.misuse == [])
  }

  @Test func `a cycle through links is a cycle, too`() {
    let (promise, resolver) = pair()
    let end = promise.map { $0 + 1 }.map { $0 + 1 }
    resolver.resolve(with: end)
    guard case .failure(let error as PromiseCycle)? = promise.current else {
      Issue.record("it was not rejected")
      return
    }
    #expect(error.sites.count == 3)
    guard case .failure(is PromiseCycle)? = end.current else {
      Issue.record("its dependent was not notified")
      return
    }
  }

  @Test func `a handler may not return its own promise`() {
    let (promise, resolver) = pair()
    let next = Locked<Promise<Int, any Error>?>(nil)
    let made = promise.then { [runtime] _ in
      next.withLock { $0 } ?? .never(runtime: runtime)
    }
    next.withLock { $0 = made }
    resolver.fulfill(1)
    guard case .failure(let error as PromiseCycle)? = made.current else {
      Issue.record("it was not rejected")
      return
    }
    #expect(error.sites.count == 1)
  }

  @Test func `a cycle is reported if the error type cannot express it`() {
    let (a, resolveA) = pair(Never.self)
    let (b, resolveB) = pair(Never.self)
    a.whenComplete { [log] _ in log.append("notified") }
    resolveA.resolve(with: b)
    resolveB.resolve(with: a)
    runtime.runUntilIdle()
    #expect(recording.misuse == ["never-completed"])
    #expect(log.entries == [])
  }

  @Test func `waiting for one promise along two paths is not a cycle`() {
    let (root, resolver) = pair()
    let (left, resolveLeft) = pair()
    let (right, resolveRight) = pair()
    resolveLeft.resolve(with: root.map { $0 + 1 })
    resolveRight.resolve(with: left)
    resolver.fulfill(1)
    #expect(try! right.current?.get() == 2)
  }

  // MARK: Loops

  /// Counts its living instances.
  private final class Counted: Sendable {
    private let count: Locked<(now: Int, most: Int)>

    init(_ count: Locked<(now: Int, most: Int)>) {
      self.count = count
      count.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
    }

    deinit { count.withLock { $0.now -= 1 } }
  }

  @Test(.unlessThreadSanitized) func `a loop of a million on settled promises takes no memory`() {
    let count = Locked((now: 0, most: 0))
    @Sendable func loop(_ left: Int) -> Promise<Int, any Error> {
      let step = Promise<Counted, any Error>.fulfilled(
        Counted(count), on: .inline, runtime: runtime)
      return step.then { counted in
        withExtendedLifetime(counted) {
          left == 0 ? .fulfilled(7, on: .inline, runtime: LiveRuntime.shared) : loop(left - 1)
        }
      }
    }
    loop(1_000_000).whenComplete { [log] _ in log.append("end") }
    #expect(log.entries == ["end"])
    #expect(count.withLock { $0.now } == 0)
    #expect(count.withLock { $0.most } < 10)
  }

  @Test func `a loop on promises that are settled later takes no memory`() {
    let count = Locked((now: 0, most: 0))
    @Sendable func loop(_ left: Int) -> Promise<Int, any Error> {
      Promise(on: .inline, runtime: runtime) { [runtime] resolver in
        // This lives as long as the promise.
        let held = Counted(count)
        resolver.onCancel { withExtendedLifetime(held) {} }
        runtime.pool.schedule {
          if left == 0 { resolver.fulfill(7) } else { resolver.resolve(with: loop(left - 1)) }
        }
      }
    }
    loop(20_000).whenComplete { [log] _ in log.append("end") }
    runtime.runUntilIdle()
    #expect(log.entries == ["end"])
    #expect(count.withLock { $0.most } < 10)
    #expect(count.withLock { $0.now } == 0)
  }

  @Test func `a loop of roots with a token takes no memory`() {
    let token = Cancellation()
    let count = Locked((now: 0, most: 0))
    @Sendable func loop(_ left: Int) -> Promise<Int, any Error> {
      Promise(on: .inline, runtime: runtime, cancellation: token) { [runtime] resolver in
        let held = Counted(count)
        resolver.onCancel { withExtendedLifetime(held) {} }
        runtime.pool.schedule {
          if left == 0 { resolver.fulfill(7) } else { resolver.resolve(with: loop(left - 1)) }
        }
      }
    }
    loop(20_000).whenComplete { [log] _ in log.append("end") }
    runtime.runUntilIdle()
    #expect(log.entries == ["end"])
    #expect(count.withLock { $0.most } < 10)
    #expect(count.withLock { $0.now } == 0)
  }

  @Test func `a loop of roots with a token can be cancelled at any point`() {
    let token = Cancellation()
    let runs = Locked(0)
    @Sendable func loop() -> Promise<Int, any Error> {
      Promise(on: .inline, runtime: runtime, cancellation: token) { [runtime] resolver in
        runtime.pool.schedule {
          if runs.withLock({
            $0 += 1
            return $0
          }) == 100 {
            token.cancel()
          }
          if resolver.isCancelled {
            resolver.tryResolve(.success(1))
          } else {
            resolver.resolve(with: loop())
          }
        }
      }
    }
    let promise = loop()
    runtime.runUntilIdle()
    #expect(promise.isCancelled)
    #expect(runs.withLock { $0 } <= 101)
  }

  /// It would take minutes if each promise looked at all promises above it.
  @Test(.unlessThreadSanitized, .timeLimit(.minutes(5)))
  func `a chain of adoptions that is built from its start takes linear time`() {
    let (first, resolver) = pair()
    var last = first
    for _ in 1...200_000 {
      let (next, resolve) = pair()
      resolve.resolve(with: last)
      last = next
    }
    resolver.fulfill(7)
    #expect(last.fulfilled == 7)
  }

  @Test func `a cycle that several threads close together is found`() async {
    for round in 1...300 {
      let length = 2 + round % 3
      let pairs = (0..<length).map { _ in
        Promise<Int, any Error>.withResolvers(on: .inline)
      }
      onThreads(length) { index in
        let next = pairs[(index + 1) % length].promise
        pairs[index].resolver.resolve(with: round % 2 == 0 ? next : next.map { $0 + 1 })
      }
      for (promise, _) in pairs {
        guard case .failure(is PromiseCycle)? = promise.current else {
          Issue.record("round \(round): \(String(describing: promise.current))")
          return
        }
      }
    }
  }

  @Test func `handlers of a forwarded promise are notified`() {
    let (first, resolveFirst) = pair()
    let (second, resolveSecond) = pair()
    let (last, resolveLast) = pair()
    let inner = second.then { _ in last }
    let outer = first.then { _ in inner }
    resolveFirst.fulfill(1)
    outer.whenComplete { [log] _ in log.append("outer") }
    resolveSecond.fulfill(2)
    inner.whenComplete { [log] _ in log.append("inner") }
    #expect(inner.current == nil)
    resolveLast.fulfill(3)
    inner.whenComplete { [log] _ in log.append("inner again") }
    #expect(log.entries == ["outer", "inner", "inner again"])
    #expect(try! inner.current?.get() == 3)
  }

  // MARK: Thenables

  private struct Foreign: Thenable {
    let body: @Sendable (Promise<Int, any Error>.Resolver) throws -> Void
    func settle(_ resolver: Promise<Int, any Error>.Resolver) throws { try body(resolver) }
  }

  private static let thenables: [(String, Foreign, String)] = [
    ("a value", Foreign { $0.fulfill(1) }, "1"),
    ("an error", Foreign { $0.reject(StepFailure("no such page")) }, "no such page"),
    ("what it throws", Foreign { _ in throw StepFailure("no such page") }, "no such page"),
    (
      "what it throws after a value",
      Foreign {
        $0.fulfill(1)
        throw StepFailure("too late")
      }, "1"
    ),
    ("a promise", Foreign { $0.resolve(with: .fulfilled(2)) }, "2"),
    ("another one", Foreign { $0.resolve(with: Foreign { $0.fulfill(3) }) }, "3"),
    (
      "the first of two",
      Foreign {
        $0.tryResolve(.success(1))
        $0.tryResolve(.success(2))
      }, "1"
    ),
  ]

  @Test func `a settled promise does not query a foreign promise`() {
    let (promise, resolver) = pair()
    let calls = Locked(0)
    resolver.fulfill(1)
    resolver.resolve(
      with: Foreign {
        calls.withLock { $0 += 1 }
        $0.fulfill(2)
      })
    #expect(calls.withLock { $0 } == 0)
    #expect(try! promise.current?.get() == 1)
  }

  @Test(arguments: thenables.indices)
  func `a foreign promise is adopted`(_ index: Int) {
    let (name, foreign, expected) = Self.thenables[index]
    let (promise, resolver) = pair()
    resolver.resolve(with: foreign)
    let text =
      switch promise.current {
      case .success(let value)?: "\(value)"
      case .failure(let error)?: "\(error)"
      case nil: "pending"
      }
    #expect(text == expected, "\(name)")
  }
}
