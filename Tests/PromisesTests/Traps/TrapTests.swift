import AsyncSimulation
import PatternTesting
import Promises
import Testing

/// Known mistakes of other promise libraries that no other suite covers. Double resolution, order and long chains are
/// in `PromiseTests`, cycles in `AdoptionTests`, siblings in `OrderTests`, timers in `TimeoutTests`, waiting in
/// `PromiseWaitTests` and awaiting in `PromiseAsyncTests`.
@Suite struct TrapTests {
  private typealias Source = Promise<Int, any Error>

  /// If a handler ran under a lock of the promise, the handler and the other threads would wait for each other.
  @Test func `while a handler runs, other threads can use its promise`() {
    let (promise, resolver) = Source.withResolvers(on: .inline)
    let log = Log()
    let inner = Locked<Promise<Void, Never>?>(nil)
    let mapped = promise.map { value in
      onThreads(3) { thread in
        switch thread {
        case 0: log.append("\(resolver.tryResolve(.success(2))), \(promise.cancel())")
        case 1: log.append("\((try? promise.current?.get()) ?? 0)")
        default:
          let late = promise.whenComplete { _ in log.append("late") }
          inner.withLock { $0 = late }
        }
      }
      return value + 1
    }
    resolver.fulfill(1)
    _ = try? inner.withLock { $0 }?.wait()
    #expect(mapped.fulfilled == 2)
    #expect(log.entries.sorted() == ["1", "false, false", "late"])
  }

  @Test func `a second handler neither replaces the first one nor repeats it`() {
    let (promise, resolver) = Source.withResolvers(on: .inline)
    let log = Log()
    for name in ["first", "second"] { promise.whenComplete { _ in log.append(name) } }
    resolver.fulfill(1)
    for name in ["third", "fourth"] { promise.whenComplete { _ in log.append(name) } }
    #expect(log.entries == ["first", "second", "third", "fourth"])
  }

  @Test func `a handler that resolves a sibling neither loses the sibling nor runs it nested`() {
    let (promise, resolver) = Source.withResolvers(on: .inline)
    let (sibling, resolveSibling) = Source.withResolvers(on: .inline)
    let log = Log()
    sibling.whenComplete { _ in log.append("sibling") }
    promise.whenComplete { _ in
      log.append("begins")
      resolveSibling.fulfill(2)
      log.append("ends")
    }
    promise.whenComplete { _ in log.append("next") }
    resolver.fulfill(1)
    #expect(log.entries.prefix(2) == ["begins", "ends"])
    #expect(log.entries.sorted() == ["begins", "ends", "next", "sibling"])
  }
}
