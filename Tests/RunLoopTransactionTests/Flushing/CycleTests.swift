import RunLoopTransaction
import Testing

@Suite struct CycleTests {
  let stage = Stage()

  @Sendable static func commitItself(_ label: Label, to queue: TransactionQueue) {
    Transaction(label, "layout") { label in
      label.layOut()
      commitItself(label, to: queue)
    }.commit(to: queue)
  }

  @Test func `a transaction that commits itself is finally refused and reported by name`() {
    let queue = stage.queue(cycleLimit: 10)
    Self.commitItself(stage.labels[0], to: queue)
    #expect(stage.runtime.runUntilIdle(limit: 1_000) == .idle)
    // The first commit does not count toward the limit, since no other commit caused it.
    #expect(stage.log.entries.count == 11)
    #expect(queue.metrics.refused == 1)
    #expect(queue.metrics.depth == 10)
    let report = stage.misuses.first ?? ""
    #expect(stage.misuses.count == 1)
    for part in ["commit-cycle", "“Label”, “layout”", "CycleTests.swift:", "commits itself again"] {
      #expect(report.contains(part), "\(report)")
    }
  }

  @Test func `a cycle of several transactions is reported in order, also across queues`() {
    let queues = [stage.queue(cycleLimit: 9), stage.queue(cycleLimit: 9)]
    @Sendable func commit(_ index: Int) {
      Transaction(stage.labels[index], "step \(index)") { _ in commit((index + 1) % 3) }
        .commit(to: queues[index % 2])
    }
    commit(0)
    #expect(stage.runtime.runUntilIdle(limit: 1_000) == .idle)
    let report = stage.misuses.first ?? ""
    for part in ["“step 0”", "“step 1”", "“step 2”", "which commits"] {
      #expect(report.contains(part), "\(report)")
    }
  }

  @Test func `a chain that is too long is reported even without a cycle`() {
    let queue = stage.queue(cycleLimit: 20)
    @Sendable func commit(_ number: Int) {
      Transaction(stage.labels[0], number) { _ in commit(number + 1) }.commit(to: queue)
    }
    commit(0)
    stage.runtime.runUntilIdle(limit: 1_000)
    #expect(stage.misuses.first?.contains("is the end of a chain of 21 commits") == true)
  }

  @Test func `after a refusal the queue performs commits from elsewhere`() {
    let queue = stage.queue(cycleLimit: 3)
    let label = stage.labels[0]
    for _ in 1...2 {
      Self.commitItself(label, to: queue)
      #expect(stage.runtime.runUntilIdle(limit: 1_000) == .idle)
    }
    #expect(stage.log.entries.count == 8)
    #expect(stage.misuses.count == 2)
  }

  @Test func `a transaction that is also committed from elsewhere is not a consequence`() {
    let queue = stage.queue(cycleLimit: 3)
    let label = stage.labels[0]
    let turns = Locked(0)
    let runtime = stage.runtime
    @Sendable func commit() {
      Transaction(label, "layout") { _ in
        let turn = turns.withLock { turns in
          turns += 1
          return turns
        }
        guard turn < 10 else { return }
        commit()
        // In each turn, other code makes a new commit.
        runtime.main.schedule { commit() }
      }.commit(to: queue)
    }
    commit()
    runtime.runUntilIdle()
    #expect(stage.misuses == [])
    #expect(turns.withLock { $0 } >= 10)
  }

  @Test func `without a limit the cycle continues`() {
    let queue = stage.queue(cycleLimit: nil)
    Self.commitItself(stage.labels[0], to: queue)
    #expect(stage.runtime.runUntilIdle(limit: 5_000) == .limit)
    #expect(stage.misuses == [])
  }

  @Test func `a flush handler that always commits again is finally refused`() {
    let made = Locked<TransactionQueue?>(nil)
    let label = stage.labels[0]
    let queue = stage.queue(cycleLimit: 10) { _ in
      guard let queue = made.withLock({ $0 }) else { return }
      Transaction(label, action: .layout).commit(to: queue)
    }
    made.withLock { $0 = queue }
    Transaction(label, action: .layout).commit(to: queue)
    #expect(stage.runtime.runUntilIdle(limit: 1_000) == .idle)
    #expect(stage.log.entries.count == 11)
    #expect(stage.misuses.count == 1)
    #expect(stage.misuses.first?.contains("CycleTests.swift:") == true, "\(stage.misuses)")
    made.withLock { $0 = nil }
  }

  @Test func `a refused commit reports that it was refused`() {
    let queue = stage.queue(cycleLimit: 0)
    let label = stage.labels[0]
    let refused = Locked<Bool?>(nil)
    Transaction(label, "x") { label in
      let commitment = Transaction(label, action: .layout).commit(to: queue)
      refused.withLock { $0 = commitment.isRefused }
      #expect(!commitment.cancel())
    }.commit(to: queue)
    stage.runtime.runUntilIdle()
    #expect(refused.withLock { $0 } == true)
    #expect(stage.log.entries == [])
  }
}
