import RunLoopTransaction
import Testing

@Suite struct CoalescingTests {
  let stage = Stage()
  var log: Log { stage.log }

  @Test func `equal transactions are performed once, at the end of the turn`() {
    let queue = stage.queue()
    let label = stage.labels[0]
    stage.onMain {
      Transaction(label, action: .layout).commit(to: queue)
      Transaction(label, action: .layout).commit(to: queue)
      stage.log.append("the job ends")
    }
    #expect(log.entries == ["the job ends", "a: layout"])
    #expect(queue.metrics.coalesced == 1)
  }

  @Test func `transactions are equal if target and key are identical and of the same type`() {
    let queue = stage.queue()
    let (a, twin) = (Label("a", log), Label("a", log))
    let log = log
    stage.onMain {
      for target in [a, twin, a] {
        Transaction(target, 1) { _ in log.append("\(target === a ? "a" : "twin") 1") }
          .commit(to: queue)
        Transaction(target, 2) { _ in log.append("\(target === a ? "a" : "twin") 2") }
          .commit(to: queue)
        Transaction(target, "1") { _ in log.append("\(target === a ? "a" : "twin") one") }
          .commit(to: queue)
      }
    }
    #expect(log.entries == ["a 1", "a 2", "a one", "twin 1", "twin 2", "twin one"])
  }

  @Test func `equal numbers of different types are different keys`() {
    let queue = stage.queue()
    let label = stage.labels[0]
    let log = log
    stage.onMain {
      Transaction(label, 1) { _ in log.append("Int") }.commit(to: queue)
      Transaction(label, 1.0) { _ in log.append("Double") }.commit(to: queue)
      Transaction(label, UInt8(1)) { _ in log.append("UInt8") }.commit(to: queue)
    }
    #expect(log.entries == ["Int", "Double", "UInt8"])
  }

  @Test func `the last action that was not cancelled is performed`() {
    let queue = stage.queue()
    let label = stage.labels[0]
    let log = log
    stage.onMain {
      Transaction(label, "x") { _ in log.append("x 1") }.commit(to: queue)
      let second = Transaction(label, "x") { _ in log.append("x 2") }.commit(to: queue)
      #expect(second.cancel())
    }
    #expect(log.entries == ["x 2"])
  }

  @Test func `keys with the same hash are distinguished`() {
    struct Key: Hashable, Sendable {
      let number: Int
      func hash(into hasher: inout Hasher) {}
    }
    let queue = stage.queue()
    let label = stage.labels[0]
    let log = log
    stage.onMain {
      for number in (0..<100).map({ $0 % 50 }) {
        Transaction(label, Key(number: number)) { _ in log.append("\(number)") }.commit(to: queue)
      }
    }
    #expect(log.entries == (0..<50).map(String.init))
  }

  @Test func `the first commit sets the position and the last one sets the action`() {
    let queue = stage.queue()
    let label = stage.labels[0]
    let log = log
    stage.onMain {
      for (key, text) in [("x", "x 1"), ("y", "y"), ("x", "x 2")] {
        Transaction(label, key) { _ in log.append(text) }.commit(to: queue)
      }
    }
    #expect(log.entries == ["x 2", "y"])
  }

  @Test func `transactions are performed by priority, then in the order of first commits`() {
    let queue = stage.queue()
    let log = log
    let (a, b, c, d) = (stage.labels[0], stage.labels[1], stage.labels[2], stage.labels[3])
    stage.onMain {
      func commit(_ label: Label, _ priority: Priority) {
        Transaction(label, "x", priority: priority) { log.append($0.name) }.commit(to: queue)
      }
      commit(a, .low)
      commit(b, .normal)
      commit(c, .normal)
      commit(d, .high)
      commit(a, .normal)  // Its priority is raised, so it comes after the other normal ones.
      commit(c, .low)  // The lower priority has no effect.
    }
    #expect(log.entries == ["d", "b", "c", "a"])
  }

  @Test func `a queue distinguishes three priorities`() {
    let queue = stage.queue()
    let (log, label) = (log, stage.labels[0])
    stage.onMain {
      let priorities: [Priority] = [-1, .normal, .low, .high, 1, -200, 200]
      for (index, priority) in priorities.enumerated() {
        Transaction(label, index, priority: priority) { _ in
          log.append("\(priority.rawValue)")
        }.commit(to: queue)
      }
    }
    #expect(log.entries == ["100", "1", "200", "0", "-1", "-100", "-200"])
  }

  @Test func `ten thousand targets keep their order, however often they are committed`() {
    let queue = stage.queue()
    let log = log
    let labels = (0..<10_000).map { Label("\($0)", log) }
    stage.onMain {
      for _ in 1...3 {
        for label in labels { Transaction(label, "x") { log.append($0.name) }.commit(to: queue) }
      }
    }
    #expect(log.entries == (0..<10_000).map(String.init))
    #expect(queue.metrics.committed == 30_000)
    #expect(queue.metrics.coalesced == 20_000)
    #expect(queue.metrics.performed == 10_000)
  }

  @Test func `a target is held only until its transaction has been performed`() {
    let queue = stage.queue()
    let log = log
    weak var target: Label?
    do {
      let label = Label("short-lived", log)
      target = label
      Transaction(label, action: .layout).commit(to: queue)
    }
    #expect(target != nil)
    stage.runtime.runUntilIdle()
    #expect(target == nil)
    #expect(log.entries == ["short-lived: layout"])
  }

  @Test func `a released object may commit, because no release happens under a lock`() {
    final class Last: Sendable {
      let label: Label
      let queue: TransactionQueue
      init(_ label: Label, _ queue: TransactionQueue) { (self.label, self.queue) = (label, queue) }
      deinit { Transaction(label, action: .layout).commit(to: queue) }
    }
    let queue = stage.queue()
    let label = stage.labels[0]
    stage.onMain {
      let other = Label("other", stage.log)
      // Releases one object because its action is replaced, one because it is cancelled, and one because it is
      // performed.
      for _ in 1...2 {
        let last = Last(label, queue)
        Transaction(other, "x") { _ in _ = last }.commit(to: queue)
      }
      Transaction(Last(label, queue), "y") { _ in }.commit(to: queue).cancel()
      Transaction(Last(label, queue), "z") { _ in }.commit(to: queue)
    }
    #expect(log.entries == ["a: layout", "a: layout"])
    #expect(queue.count == 0)
  }
}
