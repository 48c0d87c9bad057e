import AsyncSimulation
import Testing

/// Occupying a thread for no time lets other jobs go first.
@Suite struct YieldTests {
  @Test(arguments: [Duration.zero, .ms(-1)])
  func `queued jobs go first, and no time passes`(duration: Duration) {
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    let log = Log()
    runtime.pool.schedule {
      log.append("check")
      runtime.work(for: duration)
      log.append("act")
      runtime.block(for: duration)
      log.append("done")
    }
    runtime.pool.schedule {
      log.append("other on \(LaneContext.current.lane.number)")
      runtime.pool.schedule { log.append("third") }
    }
    runtime.main.schedule { log.append("main") }
    runtime.runUntilIdle()
    #expect(log.entries == ["check", "other on 2", "main", "act", "third", "done"])
    #expect(runtime.now == .zero)
    #expect(recording.events == [])
  }

  @Test func `the job keeps its lane meanwhile`() {
    let runtime = SimulatedRuntime(workers: 1)
    let log = Log()
    let queue = runtime.serial("queue")
    for name in ["a", "b"] {
      queue.schedule {
        log.append("\(name) begins")
        runtime.block(for: .zero)
        log.append("\(name) ends")
      }
    }
    runtime.pool.schedule { log.append("pool") }
    runtime.main.schedule { log.append("main") }
    runtime.runUntilIdle()
    #expect(log.entries == ["a begins", "main", "a ends", "pool", "b begins", "b ends"])
  }

  @Test func `a job without competitors continues immediately`() {
    let runtime = SimulatedRuntime()
    let log = Log()
    runtime.pool.schedule {
      for _ in 1...1_000 { runtime.work(for: .zero) }
      log.append("done")
    }
    runtime.runUntilIdle()
    #expect(log.entries == ["done"])
  }

  @Test func `outside a job it does nothing`() {
    let recording = Recording()
    SimulatedRuntime(trace: recording).block(for: .zero)
    #expect(recording.events == [])
  }

  @Test(arguments: [Exploration.Strategy.random, .pct(depth: 2), .depthFirst(deviations: nil)])
  func `an exploration finds a race inside one job`(strategy: Exploration.Strategy) {
    let report = Exploration(schedules: 200, strategy: strategy).explore { runtime in
      let balance = Locked(10)
      for _ in 1...2 {
        runtime.pool.schedule {
          guard balance.withLock({ $0 }) >= 10 else { return }
          runtime.block(for: .zero)
          balance.withLock { $0 -= 10 }
        }
      }
      return { balance.withLock { $0 < 0 ? "the balance is \($0)" : nil } }
    }
    #expect(report.violation?.finding.detail == "the balance is -10")
    #expect(report.violation?.isReproducible == true)
  }
}
