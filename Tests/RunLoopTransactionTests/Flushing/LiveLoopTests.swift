import Dispatch
import Foundation
import RunLoopTransaction
import Testing

/// Tests on the real run loop, on separate threads: the thread that runs the tests has no run loop.
@Suite(.timeLimit(.minutes(1))) struct LiveLoopTests {
  let loop = LiveRuntime.shared.runLoop("transactions under test")
  let log = Log()

  /// Returns when `body` has called the closure that it receives.
  func ended(_ body: (_ end: @escaping @Sendable () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in body { continuation.resume() } }
  }

  @Test func `a commit from another thread wakes a loop that waits`() async {
    let queue = TransactionQueue(on: loop)
    let label = Label("a", log)
    for _ in 1...100 {
      await ended { end in
        Transaction(label, "x") { _ in end() }.commit(to: queue)
      }
    }
    #expect(queue.metrics.performed == 100)
  }

  @Test func `a commit within a flush is performed alone, in a turn of its own`()
    async
  {
    let queue = TransactionQueue(on: loop)
    let (a, b) = (Label("a", log), Label("b", log))
    await ended { end in
      Transaction(a, "x") { _ in
        Transaction(b, "x") { _ in end() }.commit(to: queue)
      }.commit(to: queue)
    }
    let metrics = queue.metrics
    #expect(metrics.performed == 2)
  }

  @Test func `a flush runs after actions with a lower order, at the end of the turn`() async {
    let (early, late) = (TransactionQueue(on: loop, order: 1), TransactionQueue(on: loop, order: 3))
    let log = log
    let action = loop.atEndOfTurn(order: 2) { log.append("2") }
    let label = Label("a", log)
    await ended { end in
      loop.schedule { [loop] in
        #expect(loop.isCurrent)
        Transaction(label, "x") { _ in
          log.append("3")
          end()
        }.commit(to: late)
        Transaction(label, "x") { _ in log.append("1") }.commit(to: early)
        log.append("the job ends")
      }
    }
    action.cancel()
    let entries = log.entries.drop { $0 != "the job ends" }
    #expect(entries.prefix(4) == ["the job ends", "1", "2", "3"])
    #expect(!loop.isCurrent)
  }

  @Test func `transactions that a budget leaves over are performed in the following turns`() async {
    let budget = TurnBudget(.zero, on: loop)
    let flushes = Locked<[Int]>([])
    let queue = TransactionQueue(sharing: budget) { metrics in
      flushes.withLock { $0.append(metrics.performed) }
    }
    let log = log
    let labels = (0..<50).map { Label("\($0)", log) }
    await ended { end in
      loop.schedule {
        for label in labels {
          Transaction(label, "x") { label in
            log.append(label.name)
            if label.name == "49" { end() }
          }.commit(to: queue)
        }
      }
    }
    #expect(log.entries == (0..<50).map(String.init))
    #expect(flushes.withLock { $0 }.allSatisfy { $0 == 1 })
  }

  @Test func `an unreferenced loop and queue finish their work, and the thread ends`() async {
    let log = log
    await ended { end in
      let loop = LiveRuntime.shared.runLoop("short-lived")
      let queue = TransactionQueue(on: loop)
      // The thread-local storage is released with the thread, and this object with it.
      let last = Last(end)
      loop.schedule { Thread.current.threadDictionary["last"] = last }
      Transaction(Label("a", log), action: .layout).commit(to: queue)
    }
    #expect(log.entries == ["a: layout"])
  }

  @Test func `commits and cancellations from several threads lose and repeat nothing`() throws {
    let queue = TransactionQueue(on: loop)
    let labels = (0..<20).map { _ in Counter() }
    let wasPending = Locked(0)
    let group = DispatchGroup()
    for thread in 0..<6 {
      group.enter()
      Thread.detachNewThread {
        for turn in 0..<2_000 {
          let target = labels[(turn &* 7 &+ thread) % labels.count]
          let key = turn % 3
          let commitment = Transaction(target, key) { $0.add() }.commit(to: queue)
          if turn % 5 == 0, commitment.cancel() { wasPending.withLock { $0 += 1 } }
        }
        group.leave()
      }
    }
    #expect(group.wait(timeout: .now() + 50) == .success)
    let flushed = DispatchSemaphore(value: 0)
    loop.schedule {
      _ = queue.flushNow()
      flushed.signal()
    }
    flushed.wait()
    let metrics = queue.metrics
    #expect(metrics.committed == 12_000)
    #expect(
      metrics.committed == metrics.coalesced + metrics.cancelled + metrics.performed + queue.count)
    #expect(labels.reduce(0) { $0 + $1.count } == metrics.performed)
    #expect(wasPending.withLock { $0 } >= metrics.cancelled)
  }
}

/// Counts on the loop only, without a lock. ThreadSanitizer would report an access from another thread.
final class Counter: @unchecked Sendable {
  // Safe to share: only actions on one loop access it, and code that has waited for them.
  private(set) var count = 0
  func add() { count += 1 }
}

/// Calls `end` when it is released.
private final class Last: Sendable {
  private let end: @Sendable () -> Void
  init(_ end: @escaping @Sendable () -> Void) { self.end = end }
  deinit { end() }
}
