import RunLoopTransaction
import Testing

/// Checks the queue under every schedule that is tried.
@Suite struct TransactionExplorationTests {
  @Test(arguments: [Exploration.Strategy.random, .pct(depth: 3)])
  func `no transaction is lost, repeated or out of order`(strategy: Exploration.Strategy) {
    let exploration = Exploration(schedules: 500, strategy: strategy)
    let report = exploration.explore { runtime in
      let log = Log()
      let queue = TransactionQueue(batchLimit: 2, runtime: runtime)
      let labels = (0..<4).map { Label("\($0)", log) }
      let order = Locked<[String]>([])
      for label in labels {
        runtime.pool.schedule {
          runtime.block(for: .zero)
          order.withLock { $0.append(label.name) }
          Transaction(label, "x") { log.append($0.name) }.commit(to: queue)
          Transaction(label, "x") { log.append($0.name) }.commit(to: queue)
        }
      }
      return {
        let metrics = queue.metrics
        guard log.entries == order.withLock({ $0 }) else {
          return "performed \(log.entries), committed \(order.withLock { $0 })"
        }
        guard metrics.committed == metrics.coalesced + metrics.performed else {
          return "\(metrics)"
        }
        return queue.count == 0 ? nil : "\(queue.count) wait"
      }
    }
    #expect(report.violations == 0, "\(report.violation?.finding.description ?? "")")
  }

  @Test func `a commit that races with its cancellation is either performed or cancelled`() {
    let report = Exploration(schedules: 500).explore { runtime in
      let log = Log()
      let queue = TransactionQueue(runtime: runtime)
      let labels = (0..<3).map { Label("\($0)", log) }
      let wasPending = Log()
      for label in labels {
        runtime.pool.schedule {
          let commitment = Transaction(label, "x") { log.append($0.name) }.commit(to: queue)
          runtime.block(for: .zero)
          if commitment.cancel() { wasPending.append(label.name) }
        }
      }
      return {
        let all = log.entries + wasPending.entries
        return all.sorted() == labels.map(\.name) ? nil : "\(log.entries), \(wasPending.entries)"
      }
    }
    #expect(report.violations == 0, "\(report.violation?.finding.description ?? "")")
  }
}
