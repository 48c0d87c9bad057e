import AsyncSimulation
import SerialQueue
import Testing

/// Checks what must hold under every schedule that is tried.
@Suite struct SerialQueueExplorationTests {
  /// Counts the starts and ends of items, and the items that run at the same time.
  private struct Ledger: Sendable {
    struct State: Sendable {
      var started: [String] = []
      var ended: [String: Int] = [:]
      var running = 0
      var most = 0
    }

    private let state = Locked(State())

    func start(_ name: String) {
      state.withLock { state in
        state.started.append(name)
        state.running += 1
        state.most = max(state.most, state.running)
      }
    }

    func stop() { state.withLock { $0.running -= 1 } }

    func end(_ name: String) { state.withLock { $0.ended[name, default: 0] += 1 } }

    var now: State { state.withLock { $0 } }

    /// Enqueues work of one of three kinds. Other threads may run between its start and its end.
    func enqueue(
      _ name: String, kind: Int, to queue: SerialQueue, on runtime: SimulatedRuntime
    ) -> @Sendable () -> Void {
      switch kind % 3 {
      case 0:
        let item = queue.enqueue {
          start(name)
          runtime.work(for: .zero)
          stop()
        }
        item.onCompletion { _ in end(name) }
        return item.cancel
      case 1:
        let item = queue.enqueueWithCompletion { done in
          start(name)
          runtime.pool.schedule {
            stop()
            done()
          }
        }
        item.onCompletion { _ in end(name) }
        return item.cancel
      default:
        let item = queue.enqueue {
          start(name)
          try? await runtime.clock.sleep(for: .ms(1))
          stop()
        }
        item.onCompletion { _ in end(name) }
        return item.cancel
      }
    }
  }

  @Test(arguments: [1, 2, 3])
  func `no item is lost or ends twice, and at most the width run at the same time`(_ width: Int) {
    let report = Exploration(schedules: 300).explore { runtime in
      let queue = SerialQueue(width: width, runtime: runtime)
      let ledger = Ledger()
      for producer in 0..<3 {
        runtime.pool.schedule {
          for number in 0..<4 {
            _ = ledger.enqueue(
              "\(producer).\(number)", kind: producer + number, to: queue, on: runtime)
            runtime.work(for: .zero)
          }
        }
      }
      return {
        let now = ledger.now
        if now.most > width { return "\(now.most) ran at the same time" }
        if now.ended.count != 12 { return "\(now.ended.count) of 12 ended" }
        if now.ended.values.contains(where: { $0 != 1 }) { return "one ended twice" }
        if queue.count != 0 { return "\(queue.count) are left" }
        // With a width above 1, the lanes decide which of two items that were taken in order starts first.
        for producer in 0..<3 where width == 1 {
          let own = now.started.filter { $0.hasPrefix("\(producer).") }
          if own != own.sorted() { return "out of order: \(own)" }
        }
        return nil
      }
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test func `an item cancelled as it starts never starts, or is notified, and ends once`() {
    let report = Exploration(schedules: 400).explore { runtime in
      let queue = SerialQueue(runtime: runtime)
      let ledger = Ledger()
      let cancels = (0..<6).map { ledger.enqueue("\($0)", kind: $0, to: queue, on: runtime) }
      for cancel in cancels { runtime.pool.schedule { cancel() } }
      runtime.pool.schedule { queue.cancelPending() }
      return {
        let now = ledger.now
        if now.ended.count != 6 || now.ended.values.contains(where: { $0 != 1 }) {
          return "ended: \(now.ended)"
        }
        if now.running != 0 || now.most > 1 {
          return "\(now.running) run, \(now.most) at the same time"
        }
        return queue.count == 0 ? nil : "\(queue.count) are left"
      }
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test func `suspending and resuming lose no item and wake the queue`() {
    let report = Exploration(schedules: 400).explore { runtime in
      let queue = SerialQueue(runtime: runtime)
      let ledger = Ledger()
      runtime.pool.schedule {
        for number in 0..<5 {
          _ = ledger.enqueue("\(number)", kind: number, to: queue, on: runtime)
          runtime.work(for: .zero)
        }
      }
      runtime.pool.schedule {
        for _ in 0..<3 {
          queue.suspend()
          runtime.work(for: .zero)
          queue.resume()
          runtime.work(for: .zero)
        }
      }
      return {
        let now = ledger.now
        return now.started == (0..<5).map(String.init) && queue.count == 0
          ? nil : "started: \(now.started)"
      }
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test func `if a timeout races with an item's end, one wins and the queue continues`() {
    let report = Exploration(schedules: 400).explore { runtime in
      let queue = SerialQueue(timeout: .ms(1), runtime: runtime)
      let ledger = Ledger()
      for number in 0..<4 {
        _ = ledger.enqueue("\(number)", kind: 2, to: queue, on: runtime)
        queue.enqueueWithCompletion { done in
          runtime.pool.schedule(after: .ms(1)) { done() }
        }.onCompletion { _ in ledger.end("callback \(number)") }
      }
      return {
        let now = ledger.now
        if now.ended.count != 8 || now.ended.values.contains(where: { $0 != 1 }) {
          return "ended: \(now.ended)"
        }
        return queue.count == 0 ? nil : "\(queue.count) are left"
      }
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test func `at most one item of a key is queued, and the last one runs`() {
    let report = Exploration(schedules: 400).explore { runtime in
      let queue = SerialQueue(runtime: runtime)
      let (ran, ended) = (Locked<[Int]>([]), Locked(0))
      for producer in 0..<2 {
        runtime.pool.schedule {
          for number in 0..<4 {
            queue.enqueue(.key("k", .latestWins)) {
              ran.withLock { $0.append(producer * 10 + number) }
            }.onCompletion { _ in ended.withLock { $0 += 1 } }
            runtime.work(for: .zero)
          }
        }
      }
      return {
        let ran = ran.withLock { $0 }
        if ended.withLock({ $0 }) != 8 { return "\(ended.withLock { $0 }) of 8 ended" }
        // The last item of one of the producers was the last one of all.
        guard ran.last.map({ $0 % 10 == 3 }) == true else { return "ran: \(ran)" }
        return Set(ran).count == ran.count ? nil : "ran twice: \(ran)"
      }
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test func `idle is reported only when nothing is left, and once each time`() {
    let report = Exploration(schedules: 400).explore { runtime in
      let queue = SerialQueue(runtime: runtime)
      let ledger = Ledger()
      let (idle, wrong) = (Locked(0), Locked(0))
      queue.onIdle {
        idle.withLock { $0 += 1 }
        if ledger.now.running > 0 { wrong.withLock { $0 += 1 } }
      }
      for number in 0..<3 {
        runtime.pool.schedule {
          _ = ledger.enqueue("\(number)", kind: number, to: queue, on: runtime)
        }
      }
      return {
        if wrong.withLock({ $0 }) > 0 { return "notified while something ran" }
        let idle = idle.withLock { $0 }
        return (1...3).contains(idle) && queue.count == 0 ? nil : "notified \(idle) times"
      }
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test func `draining waits for earlier items, and at most for all items`() {
    let report = Exploration(schedules: 400).explore { runtime in
      let queue = SerialQueue(width: 2, runtime: runtime)
      let ledger = Ledger()
      let early = Locked<[String]>([])
      for round in 0..<3 {
        runtime.pool.schedule {
          _ = ledger.enqueue("\(round)", kind: round, to: queue, on: runtime)
          queue.onDrained {
            if ledger.now.ended["\(round)"] != 1 { early.withLock { $0.append("\(round)") } }
            ledger.end("drained \(round)")
          }
        }
      }
      return {
        let early = early.withLock { $0 }
        if !early.isEmpty { return "too early: \(early)" }
        let ended = ledger.now.ended
        return ended.count == 6 && ended.values.allSatisfy { $0 == 1 } ? nil : "\(ended)"
      }
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test func `with a bound there are never more items, and every caller gets room`() {
    let report = Exploration(schedules: 300).explore { runtime in
      let queue = SerialQueue(bound: 2, runtime: runtime)
      let (most, done) = (Locked(0), Locked(0))
      for _ in 0..<5 {
        runtime.task {
          try await queue.run {
            let count = queue.count
            most.withLock { $0 = max($0, count) }
          }
          done.withLock { $0 += 1 }
        }
      }
      return {
        if most.withLock({ $0 }) > 2 { return "\(most.withLock { $0 }) at the same time" }
        return done.withLock { $0 } == 5 ? nil : "\(done.withLock { $0 }) of 5 got in"
      }
    }
    #expect(report.violation == nil, "\(report)")
  }
}
