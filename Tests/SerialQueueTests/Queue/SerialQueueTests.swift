import AsyncSimulation
import PatternTesting
import SerialQueue
import Testing

@Suite struct SerialQueueTests {
  private let recording: Recording
  private let runtime: SimulatedRuntime
  private let log = Log()

  init() {
    recording = Recording()
    runtime = SimulatedRuntime(trace: WithoutPlaces(recording))
  }

  /// Returns work that ends after a time and logs its start and its end.
  private func work(
    _ name: String, _ duration: Duration
  ) -> @Sendable (SerialQueue.Done<Void>) -> Void {
    { [log, runtime] done in
      log.append("\(name) starts")
      runtime.pool.schedule(after: duration) {
        log.append("\(name) ends")
        done()
      }
    }
  }

  static let placements: [Placement] = [.pool, .main, .inline]

  @Test(arguments: placements) func `items start and end in order`(_ placement: Placement) {
    let queue = SerialQueue(on: placement, runtime: runtime)
    queue.enqueueWithCompletion(work: work("a", .ms(20)))
    queue.enqueueWithCompletion(work: work("b", .ms(10)))
    queue.enqueueWithCompletion(work: work("c", .ms(5)))
    #expect(queue.count == 3)
    runtime.runUntilIdle()
    #expect(
      log.entries == ["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"])
    #expect(queue.count == 0)
    #expect(runtime.now.nanoseconds == 35_000_000)
  }

  @Test func `both kinds of work share one order`() throws {
    let queue = SerialQueue(runtime: runtime)
    let clock = SchedulerClock(runtime.pool)
    let sum = Locked<[Int]>([])
    queue.enqueueWithCompletion(of: Int.self) { done in
      runtime.pool.schedule(after: .ms(20)) { done(.success(1)) }
    }.onCompletion { result in sum.withLock { $0.append((try? result.get()) ?? 0) } }
    let second = queue.enqueue {
      try await clock.sleep(until: clock.now.advanced(by: .ms(10)))
      return 2
    }
    second.onCompletion { result in sum.withLock { $0.append((try? result.get()) ?? 0) } }
    queue.enqueueWithCompletion(work: work("c", .ms(5)))
    runtime.runUntilIdle()
    #expect(sum.withLock { $0 } == [1, 2])
    #expect(log.entries == ["c starts", "c ends"])
    #expect(runtime.now.nanoseconds == 35_000_000)
  }

  @Test func `an error of an asynchronous function fails its item and the queue continues`() {
    let queue = SerialQueue(runtime: runtime)
    let failure = Locked<String>("")
    let item = queue.enqueue { () async throws -> Int in throw StepFailure("no such page") }
    item.onCompletion { result in
      if case .failure(let error) = result { failure.withLock { $0 = "\(error)" } }
    }
    queue.enqueueWithCompletion(work: work("b", .ms(5)))
    runtime.runUntilIdle()
    #expect(failure.withLock { $0 } == "no such page")
    #expect(log.entries == ["b starts", "b ends"])
  }

  @Test func `a second call is reported and ignored`() {
    let queue = SerialQueue("pages", runtime: runtime)
    queue.enqueueWithCompletion { done in
      done()
      done()
    }
    queue.enqueueWithCompletion(work: work("b", .ms(5)))
    queue.enqueueWithCompletion(work: work("c", .ms(5)))
    runtime.runUntilIdle()
    #expect(log.entries == ["b starts", "b ends", "c starts", "c ends"])
    #expect(recording.misuse == ["completed-twice"])
  }

  @Test func `a dropped token is reported with its place, and the queue continues`() throws {
    let queue = SerialQueue("pages", runtime: runtime)
    let failure = Locked<(any Error)?>(nil)
    let line = #line + 1
    queue.enqueueWithCompletion { _ in }.onCompletion { result in
      if case .failure(let error) = result { failure.withLock { $0 = error } }
    }
    queue.enqueueWithCompletion(work: work("b", .ms(5)))
    runtime.runUntilIdle()
    #expect(failure.withLock { $0 } is CompletionDropped)
    let report = try #require(recording.events.first { $0.kind == .misuse })
    #expect(report.name == "completion-dropped")
    #expect(report.detail.contains("SerialQueueTests/SerialQueueTests.swift:\(line)"))
    #expect(report.detail.contains("pages"))
    #expect(log.entries == ["b starts", "b ends"])
  }

  @Test func `a queued item that is cancelled never starts`() {
    let queue = SerialQueue(runtime: runtime)
    queue.enqueueWithCompletion(work: work("a", .ms(20)))
    let b = queue.enqueueWithCompletion(work: work("b", .ms(10)))
    queue.enqueueWithCompletion(work: work("c", .ms(5)))
    b.onCompletion { [log] result in
      if case .failure(is CancellationError) = result { log.append("b cancelled") }
    }
    runtime.run(until: Instant(nanoseconds: 5_000_000))
    b.cancel()
    b.cancel()
    runtime.runUntilIdle()
    #expect(log.entries == ["a starts", "b cancelled", "a ends", "c starts", "c ends"])
  }

  @Test func `a running item is notified when it is cancelled`() {
    let queue = SerialQueue(runtime: runtime)
    let clock = SchedulerClock(runtime.pool)
    let notified = queue.enqueueWithCompletion { [log] done in
      done.onCancel {
        log.append("notified \(done.isCancelled)")
        done()
      }
    }
    let sleeper = queue.enqueue {
      try await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
    }
    sleeper.onCompletion { [log] result in
      if case .failure(is CancellationError) = result { log.append("sleeper cancelled") }
    }
    runtime.pool.schedule(after: .ms(5)) { notified.cancel() }
    runtime.pool.schedule(after: .ms(10)) { sleeper.cancel() }
    runtime.runUntilIdle()
    #expect(log.entries == ["notified true", "sleeper cancelled"])
    #expect(runtime.now.nanoseconds == 10_000_000)
  }

  @Test func `an ended item is not notified of a cancellation, even while its handlers run`() {
    let queue = SerialQueue(runtime: runtime)
    let item = queue.enqueueWithCompletion { [log, runtime] done in
      done.onCancel { log.append("notified") }
      runtime.pool.schedule(after: .ms(10)) { done() }
    }
    item.onCompletion { [log] _ in
      log.append("ended")
      queue.cancelAll()
    }
    runtime.runUntilIdle()
    #expect(log.entries == ["ended"])
  }

  @Test func `cancelling all removes queued items and notifies running ones`() {
    let queue = SerialQueue(runtime: runtime)
    queue.enqueueWithCompletion { [log] done in
      done.onCancel {
        log.append("notified")
        done()
      }
    }
    for _ in 1...3 {
      queue.enqueueWithCompletion(work: work("never", .ms(1))).onCompletion { [log] _ in
        log.append("cancelled")
      }
    }
    runtime.pool.schedule(after: .ms(5)) { queue.cancelAll() }
    runtime.runUntilIdle()
    #expect(log.entries == ["cancelled", "cancelled", "cancelled", "notified"])
    #expect(queue.count == 0)
  }

  @Test func `an item whose handlers are called no longer counts`() {
    let queue = SerialQueue(runtime: runtime)
    let counts = Locked<[[Int]]>([])
    let note: @Sendable () -> Void = {
      let now = [queue.count, queue.runningCount, queue.waitingCount]
      counts.withLock { $0.append(now) }
    }
    let item = queue.enqueue {
      note()
      return 42
    }
    queue.enqueueWithCompletion(.timeout(.ms(1))) { _ in note() }.onCompletion { _ in note() }
    item.onCompletion { _ in note() }
    runtime.runUntilIdle()
    #expect(counts.withLock { $0 } == [[2, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 0]])
  }

  @Test func `an item starts after a queued one was cancelled during the one before`() throws {
    let queue = SerialQueue(runtime: runtime)
    let token = Locked<SerialQueue.Done<Void>?>(nil)
    queue.enqueueWithCompletion { done in token.withLock { $0 = done } }
    let cancelled = queue.enqueue {}
    runtime.runUntilIdle()
    cancelled.cancel()
    let done = try #require(token.withLock { $0.take() })
    done()
    queue.enqueue { [log] in log.append("started") }
    runtime.runUntilIdle()
    #expect(log.entries == ["started"])
  }

  @Test func `an item that has ended holds no place, even while its code keeps running`() {
    let queue = SerialQueue(width: 2, runtime: runtime)
    let gate = runtime.semaphore(0)
    queue.enqueueWithCompletion { [log] done in
      done()
      gate.wait()
      log.append("returned")
    }
    runtime.pool.schedule(after: .ms(1)) { [log] in
      queue.enqueue { log.append("second") }
      queue.enqueue {
        log.append("third")
        gate.signal()
      }
    }
    runtime.runUntilIdle()
    #expect(log.entries == ["second", "third", "returned"])
  }

  @Test func `draining waits only for items that were enqueued before`() {
    let queue = SerialQueue(runtime: runtime)
    queue.onDrained { [log] in log.append("empty") }
    queue.enqueueWithCompletion(work: work("a", .ms(20)))
    queue.onDrained { [log] in log.append("drained") }
    queue.enqueueWithCompletion(work: work("b", .ms(20)))
    runtime.runUntilIdle()
    #expect(
      log.entries == ["empty", "a starts", "a ends", "drained", "b starts", "b ends"])
  }

  @Test func `the queue lives until its work is done without any reference to it`() {
    weak var queue: SerialQueue?
    do {
      let held = SerialQueue(runtime: runtime)
      queue = held
      held.enqueueWithCompletion(work: work("a", .ms(20)))
      held.enqueueWithCompletion(work: work("b", .ms(10)))
    }
    #expect(queue == nil)
    runtime.runUntilIdle()
    #expect(log.entries == ["a starts", "a ends", "b starts", "b ends"])
  }

  @Test func `an item and its handlers may enqueue more items`() {
    let queue = SerialQueue(on: .inline, runtime: runtime)
    queue.enqueueWithCompletion { [log] done in
      log.append("a")
      queue.enqueueWithCompletion { done in
        log.append("c")
        done()
      }.onCompletion { _ in
        queue.enqueueWithCompletion { done in
          log.append("d")
          done()
        }
      }
      log.append("b")
      done()
    }
    #expect(log.entries == ["a", "b", "c", "d"])
  }

  @Test(.unlessThreadSanitized, arguments: zip(placements, [20_000, 20_000, 200_000]))
  func `many synchronous items need no stack`(_ placement: Placement, _ least: Int) {
    let items = least * SearchLength.factor
    let queue = SerialQueue(on: placement, runtime: runtime)
    let count = Locked(0)
    queue.enqueueWithCompletion { done in
      for _ in 1...items {
        queue.enqueueWithCompletion { done in
          count.withLock { $0 += 1 }
          done()
        }
      }
      done()
    }
    runtime.runUntilIdle()
    #expect(count.withLock { $0 } == items)
  }
}
