import RunLoopTransaction
import Testing

@Suite struct LimitTests {
  let stage = Stage()
  var log: Log { stage.log }

  /// Commits one transaction for each of the first `count` labels. Each transaction takes `cost`.
  func commit(_ count: Int, _ cost: Duration, to queue: TransactionQueue, _ key: String = "x") {
    let (log, runtime) = (log, stage.runtime)
    for label in stage.labels.prefix(count) {
      Transaction(label, key) { label in
        runtime.work(for: cost)
        log.append("\(label.name)@\(runtime.milliseconds)")
      }.commit(to: queue)
    }
  }

  @Test func `a budget ends a flush, and the rest is performed in the next turn, in order`() {
    let runtime = stage.runtime
    let flushes = Locked<[FlushMetrics]>([])
    let budget = TurnBudget(.ms(4), runtime: runtime)
    let queue = TransactionQueue(sharing: budget) { metrics in
      flushes.withLock { $0.append(metrics) }
    }
    commit(6, .ms(2), to: queue)
    runtime.main.schedule(after: .ms(1)) { stage.log.append("a job in between") }
    runtime.runUntilIdle()
    #expect(
      log.entries == ["a@2", "b@4", "a job in between", "c@6", "d@8", "e@10", "f@12"])
    #expect(flushes.withLock { $0 }.map(\.performed) == [2, 2, 2])
    #expect(flushes.withLock { $0 }.map(\.leftOver) == [4, 2, 0])
    #expect(flushes.withLock { $0 }.allSatisfy { $0.duration == .ms(4) })
  }

  @Test func `a target has been released when the flush is reported`() {
    let (log, reports) = (log, Locked<[Bool]>([]))
    let target = Locked<Target>(Target())
    let queue = stage.queue { _ in
      reports.withLock { $0.append(target.withLock { $0.label == nil }) }
    }
    stage.onMain {
      let label = Label("a", log)
      target.withLock { $0.label = label }
      Transaction(label, "x") { _ in }.commit(to: queue)
    }
    #expect(reports.withLock { $0 } == [true])
  }

  private struct Target: Sendable { weak var label: Label? }

  @Test func `queues of one loop share a budget, and each performs at least one per turn`() {
    let (log, runtime) = (log, stage.runtime)
    let budget = TurnBudget(.ms(4), runtime: runtime)
    let first = TransactionQueue("first", sharing: budget, order: 1)
    let second = TransactionQueue("second", sharing: budget, order: 2)
    let turns = runtime.atEndOfTurn(order: 3) { log.append("|") }
    commit(3, .ms(3), to: first)
    commit(3, .ms(1), to: second, "y")
    runtime.runUntilIdle()
    turns.cancel()
    #expect(
      log.entries.joined(separator: " ")
        == "a@3 b@6 a@7 | c@10 b@11 | c@12 |")
  }

  @Test func `with a budget of zero a queue performs one transaction per turn`() {
    let budget = TurnBudget(.zero, runtime: stage.runtime)
    let flushes = Locked(0)
    let queue = TransactionQueue(sharing: budget) { _ in flushes.withLock { $0 += 1 } }
    commit(3, .zero, to: queue)
    stage.runtime.runUntilIdle()
    #expect(log.entries.count == 3)
    #expect(flushes.withLock { $0 } == 3)
  }

  @Test(arguments: [0, 1, 2, 3, 8]) func `a batch is never larger than its limit`(limit: Int) {
    let sizes = Locked<[Int]>([])
    let queue = stage.queue(batchLimit: limit) { metrics in
      sizes.withLock { $0.append(metrics.performed) }
    }
    commit(8, .zero, to: queue)
    stage.runtime.runUntilIdle()
    #expect(log.entries == stage.labels.map { "\($0.name)@0" })
    #expect(sizes.withLock { $0 }.allSatisfy { $0 <= max(limit, 1) })
    #expect(sizes.withLock { $0 }.count == (8 + max(limit, 1) - 1) / max(limit, 1))
  }

  @Test
  func `leftover transactions precede newer ones and coalesce with equal ones`() {
    let queue = stage.queue(batchLimit: 1)
    let (a, b, c) = (stage.labels[0], stage.labels[1], stage.labels[2])
    stage.onMain {
      Transaction(a, "x") { _ in
        Transaction(c, action: .layout).commit(to: queue)
        Transaction(b, action: .layout).commit(to: queue)
      }.commit(to: queue)
      Transaction(b, action: .layout).commit(to: queue)
    }
    #expect(log.entries == ["b: layout", "c: layout"])
  }

  @Test func `a long queue is performed in small batches`() {
    let queue = stage.queue(batchLimit: 3)
    let log = log
    let labels = (0..<20_000).map { Label("\($0)", log) }
    for label in labels { Transaction(label, "x") { log.append($0.name) }.commit(to: queue) }
    stage.runtime.runUntilIdle()
    #expect(log.entries == (0..<20_000).map(String.init))
  }

  @Test func `flushNow performs all transactions, whatever the limits`() {
    let (log, runtime) = (log, stage.runtime)
    let queue = stage.queue(batchLimit: 1)
    let labels = stage.labels
    stage.onMain {
      for label in labels { Transaction(label, action: .layout).commit(to: queue) }
      let metrics = queue.flushNow()
      #expect(metrics?.performed == 8)
      log.append("immediately")
      #expect(queue.flushNow() == nil)
    }
    #expect(log.entries.last == "immediately")
    runtime.pool.schedule {
      Transaction(labels[0], action: .layout).commit(to: queue)
      #expect(queue.flushNow() == nil)
    }
    runtime.runUntilIdle()
    #expect(log.entries.last == "a: layout")
  }

  @Test func `the time of flushNow during a turn is charged to the budget of that turn`() {
    let (log, runtime) = (log, stage.runtime)
    let budget = TurnBudget(.ms(4), runtime: runtime)
    let first = TransactionQueue("first", sharing: budget, order: 1)
    let second = TransactionQueue("second", sharing: budget, order: 2)
    let turns = runtime.atEndOfTurn(order: 3) { log.append("|") }
    runtime.main.schedule(after: .ms(1)) { [self] in
      commit(3, .ms(1), to: first)
      first.flushNow()
      commit(3, .ms(1), to: second, "y")
      log.append("the job ends")
    }
    runtime.runUntilIdle()
    turns.cancel()
    // Of the first turn's budget, 1 ms is left.
    #expect(
      log.entries.drop { $0 == "|" }.joined(separator: " ")
        == "a@2 b@3 c@4 the job ends a@5 | b@6 c@7 |")
  }

  @Test func `the time of a flush within the flush of another queue is charged once`() {
    let (log, runtime) = (log, stage.runtime)
    let budget = TurnBudget(.ms(6), runtime: runtime)
    let first = TransactionQueue("first", sharing: budget, order: 1)
    let within = TransactionQueue("within", sharing: budget, order: 2)
    let last = TransactionQueue("last", sharing: budget, order: 3)
    let turns = runtime.atEndOfTurn(order: 4) { log.append("|") }
    stage.onMain { [self] in
      Transaction(stage.labels[7], "x") { [self] _ in
        commit(2, .ms(1), to: within, "y")
        within.flushNow()
        runtime.work(for: .ms(1))
      }.commit(to: first)
      commit(4, .ms(1), to: last, "z")
    }
    runtime.runUntilIdle()
    turns.cancel()
    // Of the 6 ms, 3 ms are left for the last queue.
    #expect(
      log.entries.drop { $0 == "|" }.joined(separator: " ")
        == "a@1 b@2 a@4 b@5 c@6 | d@7 |")
  }

  @Test func `flushNow within a flush leaves new commits to the next turn`() {
    let queue = stage.queue()
    let log = log
    let (a, b) = (stage.labels[0], stage.labels[1])
    stage.onMain {
      Transaction(a, "x") { _ in
        Transaction(b, action: .layout).commit(to: queue)
        #expect(queue.flushNow() == nil)
        log.append("a ends")
      }.commit(to: queue)
    }
    #expect(log.entries == ["a ends", "b: layout"])
  }

  @Test func `every flush reports its metrics`() {
    let flushes = Locked<[FlushMetrics]>([])
    let queue = stage.queue { metrics in flushes.withLock { $0.append(metrics) } }
    let runtime = stage.runtime
    let (a, b, c) = (stage.labels[0], stage.labels[1], stage.labels[2])
    runtime.main.schedule(after: .ms(5)) {
      Transaction(a, "x") { _ in
        runtime.work(for: .ms(3))
        Transaction(a, "y") { _ in }.commit(to: queue)
      }.commit(to: queue)
      Transaction(a, "x") { _ in
        runtime.work(for: .ms(3))
        Transaction(a, "y") { _ in }.commit(to: queue)
      }.commit(to: queue)
      Transaction(b, "x") { _ in }.commit(to: queue)
      Transaction(c, "x") { _ in }.commit(to: queue).cancel()
    }
    runtime.runUntilIdle()
    let reported = flushes.withLock { $0 }
    let start = Instant.zero.advanced(by: .ms(5))
    #expect(reported.map(\.flush) == [1, 2])
    #expect(reported.map(\.start) == [start, start.advanced(by: .ms(3))])
    #expect(reported.map(\.duration) == [.ms(3), .zero])
    // This includes the commit that was made while the first flush ran.
    #expect(reported.map(\.committed) == [5, 0])
    #expect(reported.map(\.coalesced) == [1, 0])
    #expect(reported.map(\.cancelled) == [1, 0])
    #expect(reported.map(\.performed) == [2, 1])
    #expect(reported.map(\.leftOver) == [0, 0])
    #expect(reported.map(\.depth) == [0, 1])
    let metrics = queue.metrics
    #expect(metrics.flushes == 2 && metrics.longest == .ms(3) && metrics.depth == 1)
  }
}
