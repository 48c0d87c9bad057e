import RunLoopTransaction
import Testing

@Suite struct TurnTests {
  let stage = Stage()
  var log: Log { stage.log }

  @Test func `a flush runs after actions with a lower order and before those with a higher order`()
  {
    let (log, runtime) = (log, stage.runtime)
    let actions = [
      runtime.atEndOfTurn(order: TransactionQueue.defaultOrder + 1) { log.append("after") },
      runtime.atEndOfTurn(order: 2_000_000) { log.append("Core Animation") },
    ]
    let (late, early) = (stage.queue(), stage.queue(order: 1_000_000))
    let label = stage.labels[0]
    stage.onMain {
      Transaction(label, "x") { _ in log.append("late") }.commit(to: late)
      Transaction(label, "x") { _ in log.append("early") }.commit(to: early)
    }
    #expect(log.entries.prefix(4) == ["early", "Core Animation", "late", "after"])
    for action in actions { action.cancel() }
  }

  @Test
  func `a commit during a flush is performed in the next turn, for which the loop is woken`() {
    let (log, runtime) = (log, stage.runtime)
    let turns = runtime.atEndOfTurn(order: 0) { log.append("turn") }
    let queue = stage.queue()
    let (a, b) = (stage.labels[0], stage.labels[1])
    stage.onMain {
      Transaction(a, "x") { _ in
        log.append("a")
        // The layout of b is pending in this flush, and is nevertheless performed again in the next turn.
        Transaction(b, action: .layout).commit(to: queue)
      }.commit(to: queue)
      Transaction(b, action: .layout).commit(to: queue)
    }
    turns.cancel()
    #expect(log.entries.filter { $0 != "turn" } == ["a", "b: layout", "b: layout"])
    // These turns include the one for which the first commit woke the loop, although the loop was already awake.
    #expect(log.entries.prefix(5) == ["turn", "a", "b: layout", "turn", "b: layout"])
  }

  @Test func `a waiting loop is woken for the first commit only`() {
    let (log, runtime) = (log, stage.runtime)
    let wakes = CountingLoop(runtime.main)
    let queue = TransactionQueue(on: wakes, runtime: runtime)
    for label in stage.labels { Transaction(label, action: .layout).commit(to: queue) }
    #expect(wakes.count == 1)
    runtime.runUntilIdle()
    #expect(log.entries.count == 8)
    #expect(wakes.count == 1)
    Transaction(stage.labels[0], action: .layout).commit(to: queue)
    #expect(wakes.count == 2)
    runtime.runUntilIdle()
  }

  @Test func `a flush with many new commits wakes the loop once`() {
    let wakes = CountingLoop(stage.runtime.main)
    let queue = TransactionQueue(on: wakes, runtime: stage.runtime)
    let labels = stage.labels
    Transaction(labels[0], "x") { _ in
      for label in labels { Transaction(label, action: .layout).commit(to: queue) }
    }.commit(to: queue)
    stage.runtime.runUntilIdle()
    #expect(wakes.count == 2)
    #expect(log.entries.count == 8)
  }

  @Test func `commits come from any lane`() {
    let queue = stage.queue()
    for label in stage.labels {
      stage.runtime.pool.schedule { Transaction(label, action: .layout).commit(to: queue) }
    }
    let lanes = Locked<Set<Lane>>([])
    Transaction(stage.labels[0], "lane") { _ in
      _ = lanes.withLock { $0.insert(LaneContext.current.lane) }
    }.commit(to: queue)
    stage.runtime.runUntilIdle()
    #expect(log.entries.count == 8)
    #expect(lanes.withLock { $0 } == [.main])
  }

  @Test func `each run loop flushes its own`() {
    let (log, runtime) = (log, stage.runtime)
    let loops = ["one", "two"].map { runtime.runLoop($0) }
    let queues = loops.map { TransactionQueue(on: $0, runtime: runtime) }
    for (index, queue) in queues.enumerated() {
      Transaction(stage.labels[index], "x") { [loops] label in
        log.append("\(label.name) \(loops.map(\.isCurrent))")
      }.commit(to: queue)
    }
    runtime.runUntilIdle()
    #expect(log.entries == ["a [true, false]", "b [false, true]"])
  }

  @Test func `releasing the queue loses no commit`() throws {
    let label = stage.labels[0]
    do {
      let queue = stage.queue()
      Transaction(label, action: .layout).commit(to: queue)
    }
    stage.runtime.runUntilIdle()
    #expect(log.entries == ["a: layout"])
    // The queue also leaves nothing behind in the runtime.
    try stage.runtime.finish()
  }

  @Test func `the end of the loop also flushes the queue`() throws {
    do {
      let queue = stage.queue()
      Transaction(stage.labels[0], action: .layout).commit(to: queue).cancel()
      Transaction(stage.labels[1], action: .layout).commit(to: queue)
    }
    try stage.runtime.finish()
    #expect(log.entries == ["b: layout"])
  }

  @Test func `an action runs on behalf of the code that committed it`() {
    let runtime = stage.runtime
    let queue = stage.queue()
    let label = stage.labels[0]
    let spans = Locked<[Span]>([])
    for name in ["one", "two"] {
      let step = Step(name) { _, _, completion in
        Transaction(label, name) { _ in
          spans.withLock { $0.append(LaneContext.current.span) }
          completion(.success(.none))
        }.commit(to: queue)
      }
      Run(step, on: runtime) { _ in }
    }
    runtime.runUntilIdle()
    let submitted = stage.recording.events.filter { $0.kind == .submitted }.map(\.span)
    #expect(spans.withLock { $0 } == submitted)
  }

  @Test(arguments: [true, false])
  func `of equal commits the last one sets the span in which the action runs`(isShared: Bool) {
    let queue = stage.queue()
    let label = stage.labels[0]
    let spans = Locked<[Span]>([])
    let shared = TransactionAction<Label>("x") { _ in
      spans.withLock { $0.append(LaneContext.current.span) }
    }
    stage.onMain {
      for number in 1...3 {
        LaneContext.current.perform(for: Span(id: UInt32(number))) {
          let action =
            isShared
            ? shared
            : TransactionAction("x") { _ in
              spans.withLock { $0.append(LaneContext.current.span) }
            }
          Transaction(label, action: action).commit(to: queue)
        }
      }
    }
    #expect(spans.withLock { $0 } == [Span(id: 3)])
  }
}

/// A run loop that counts how often it is woken.
final class CountingLoop: RunLoopScheduler {
  private let loop: any RunLoopScheduler
  private let wakes = Locked(0)

  init(_ loop: any RunLoopScheduler) { self.loop = loop }

  var count: Int { wakes.withLock { $0 } }
  var now: Instant { loop.now }
  var isCurrent: Bool { loop.isCurrent }
  func schedule(_ job: @escaping @Sendable () -> Void) { loop.schedule(job) }
  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable { loop.schedule(after: delay, job) }
  func atEndOfTurn(
    order: Int, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable { loop.atEndOfTurn(order: order, action) }
  func wake() {
    wakes.withLock { $0 += 1 }
    loop.wake()
  }
}
