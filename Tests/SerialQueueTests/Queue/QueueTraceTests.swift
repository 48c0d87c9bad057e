import PatternTesting
import SerialAnimation
import Testing
import TimingTrace

@testable import SerialQueue

/// Checks what queues record in the trace without a pattern and without a run.
@Suite struct QueueTraceTests {
  private let recorder = Recorder(clock: .virtual)
  private let runtime: SimulatedRuntime

  init() { runtime = SimulatedRuntime(trace: recorder) }

  private func busy(_ duration: Int) -> @Sendable () -> Void {
    { [runtime] in runtime.work(for: .ms(duration)) }
  }

  private func later(_ duration: Int) -> @Sendable (SerialQueue.Done<Void>) -> Void {
    { [runtime] done in runtime.pool.schedule(after: .ms(duration)) { done() } }
  }

  private func at(_ milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
    runtime.pool.schedule(after: .ms(milliseconds), body)
  }

  private var record: RunRecord {
    RunRecord(events: recorder.snapshot(), clock: .virtual, result: .success(.none))
  }

  /// “path submitted–started–finished outcome” of each step, in milliseconds.
  private var steps: [String] {
    record.steps.map { step in
      let times = [step.submitted, step.started, step.finished].map { time in
        time.map { "\($0 / 1_000_000)" } ?? ""
      }
      return "\(step.path) \(times.joined(separator: "–")) \(step.outcome)"
    }
  }

  private var edges: [String] { record.edges.map { "\($0.from) → \($0.to): \($0.kind.rawValue)" } }

  /// “path from+time, kind X” along the critical path.
  private var path: [String] {
    Analysis(of: record, events: recorder.snapshot()).criticalPath.map { step in
      let time = "\(step.path) \(step.from / 1_000_000)+\(step.time / 1_000_000)"
      return step.handOver.map { "\(time), \($0.kind.rawValue) \($0.from)" } ?? time
    }
  }

  @Test func `every event is recorded, in order`() throws {
    let queue = SerialQueue("net", runtime: runtime)
    queue.enqueue(work: busy(10))
    queue.enqueueWithCompletion(.label("parse"), work: later(5))
    runtime.runUntilIdle()
    let lines = recorder.snapshot().map { event -> String in
      func name(_ span: Span) -> String { ["–", "net", "one", "two"][Int(span.id & 0xF)] }
      let time = event.time.nanoseconds / 1_000_000
      return switch event.kind {
      case .submitted: "\(event.name), a \(event.detail) in \(name(event.parent)) \(time)"
      case .mark: "\(event.name) \(event.detail.prefix { $0 != ":" }) \(time)"
      default:
        "\(event.kind) \(name(event.span)) \(time) on \(event.lane.number)"
          + (event.cause.kind == .permit ? " after \(name(event.cause.span))" : "")
      }
    }
    #expect(
      lines == [
        "net, a serial-queue in – 0",
        "item-1, a item in net 0", "enqueued SerialQueueTests/QueueTraceTests.swift 0",
        "parse, a item in net 0", "enqueued SerialQueueTests/QueueTraceTests.swift 0",
        "started one 0 on 1", "worked one 10 on 1", "finished one 10 on 1",
        "started two 10 on 1 after one", "resumed two 15 on 1", "finished two 15 on 1",
      ])
    withExtendedLifetime(queue) {}
  }

  @Test(arguments: [Placement.pool, .inline, .main])
  func `each kind of item is queued behind the previous one`(placement: Placement) throws {
    let queue = SerialQueue("net", on: placement, runtime: runtime)
    runtime.main.schedule { [self] in
      queue.enqueue(work: busy(10))
      queue.enqueueWithCompletion(work: later(20))
      queue.enqueue { [runtime] in
        try await runtime.clock.sleep(for: .ms(5))
        runtime.work(for: .ms(1))
      }
      let yields = queue.enqueue { () throws -> Int in throw StepFailure("no such page") }
      yields.onCompletion { _ in }
      _ = queue.enqueue { () async throws -> Int in
        runtime.work(for: .ms(4))
        return 1
      }
    }
    runtime.runUntilIdle()
    // With `.inline`, the work runs before the same thread enqueues the next item.
    let first = if case .inline = placement { 10 } else { 0 }
    #expect(
      steps == [
        "net 0–0–40 success", "net/item-1 0–0–10 success",
        "net/item-2 \(first)–10–30 success", "net/item-3 \(first)–30–36 success",
        "net/item-4 \(first)–36–36 failure", "net/item-5 \(first)–36–40 success",
      ])
    let record = record
    #expect(record.steps.map(\.work) == [0, 10, 0, 1, 0, 4].map { $0 * 1_000_000 })
    #expect(record.steps.map(\.pattern) == ["serial-queue"] + Array(repeating: "item", count: 5))
    #expect(record.steps.compactMap(\.error) == ["no such page"])
    #expect(record.lints == [] && record.makespan == 40_000_000)
    #expect(edges.suffix(3).allSatisfy { $0.hasSuffix("permit-from") })
    #expect(
      path.suffix(3) == [
        "net/item-3 30+6, permit-from net/item-2", "net/item-4 36+0, permit-from net/item-3",
        "net/item-5 36+4, permit-from net/item-4",
      ])
    withExtendedLifetime(queue) {}
  }

  @Test func `a wait for the queue appears as queueing in the analysis`() {
    let queue = SerialQueue(runtime: runtime)
    for _ in 1...3 { queue.enqueue(work: busy(10)) }
    at(5) { [self] in queue.enqueue(.key("late", .firstWins), work: busy(10)) }
    runtime.runUntilIdle()
    let analysis = Analysis(of: record, events: recorder.snapshot())
    #expect(analysis.queueWait == (10 + 20 + 25) * 1_000_000)
    #expect(analysis.dependencyWait == 0 && analysis.maxConcurrency == 1)
    #expect(
      path == [
        "queue/item-1 0+10", "queue/item-2 10+10, permit-from queue/item-1",
        "queue/item-3 20+10, permit-from queue/item-2",
        "queue/late 30+10, permit-from queue/item-3",
      ])
    withExtendedLifetime(queue) {}
  }

  @Test func `with free permits no item waits, and a barrier waits for all items`() {
    let queue = SerialQueue("wide", width: 2, runtime: runtime)
    queue.enqueueWithCompletion(.label("a"), work: later(10))
    queue.enqueueWithCompletion(.label("b"), work: later(20))
    queue.enqueueWithCompletion(.label("c"), work: later(5))
    queue.enqueueWithCompletion(.barrier, .label("alone"), work: later(5))
    queue.enqueueWithCompletion(.label("after"), work: later(5))
    at(40) { [self] in queue.enqueueWithCompletion(.label("free"), work: later(1)) }
    runtime.runUntilIdle()
    #expect(
      steps.dropFirst() == [
        "wide/a 0–0–10 success", "wide/b 0–0–20 success", "wide/c 0–10–15 success",
        "wide/alone 0–20–25 success", "wide/after 0–25–30 success", "wide/free 40–40–41 success",
      ])
    #expect(
      edges == [
        "a → c: permit-from", "b → alone: permit-from", "alone → after: permit-from",
      ])
    withExtendedLifetime(queue) {}
  }

  @Test func `items that never start are recorded with the reason`() throws {
    let queue = SerialQueue("net", bound: 4, onFailure: .stop, runtime: runtime)
    queue.enqueueWithCompletion(.label("runs"), .timeout(.ms(30)), work: later(90))
    let off = queue.enqueue(.label("off"), work: busy(1))
    queue.enqueue(.key("layout", .latestWins), work: busy(1))
    queue.enqueue(.key("layout", .latestWins), .label("newer"), work: busy(1))
    queue.enqueue(.label("last"), work: busy(1))
    queue.enqueue(.label("full"), work: busy(1))
    at(5) { off.cancel() }
    runtime.runUntilIdle()
    #expect(
      steps == [
        "net 0–0–30 success", "net/runs 0–0–30 failure", "net/off 0–– cancelled",
        "net/layout 0–– cancelled", "net/newer 0–– skipped", "net/last 0–– skipped",
        "net/full 0–– skipped",
      ])
    #expect(record.steps[1].error?.contains("timed out after 30ms") == true)
    #expect(record.lints == [])
    withExtendedLifetime(queue) {}
  }

  @Test func `a caller that waits for room is also shown as waiting in the trace`() async throws {
    let queue = SerialQueue("narrow", bound: 1, runtime: runtime)
    queue.enqueueWithCompletion(.label("first"), work: later(10))
    let runtime = runtime
    let task = Task(executorPreference: SchedulerExecutor(runtime.pool)) {
      try await queue.run(.label("second")) { runtime.work(for: .ms(5)) }
    }
    runtime.runUntilIdle()
    try await task.value
    #expect(
      steps.dropFirst() == ["narrow/first 0–0–10 success", "narrow/second 0–10–15 success"])
    #expect(edges == ["first → second: permit-from"])
  }

  @Test func `items record the span that enqueued them, and queues the span that made them`() {
    let made = Locked<SerialQueue?>(nil)
    let maker = Span(id: 5)
    LaneContext.current.perform(for: maker) {
      made.withLock { $0 = SerialQueue("inner", runtime: runtime) }
    }
    let outer = SerialQueue("outer", runtime: runtime)
    outer.enqueue(.label("asks")) { [self] in
      runtime.work(for: .ms(3))
      made.withLock { $0 }?.enqueue(.label("asked"), work: busy(2))
      runtime.work(for: .ms(4))
    }
    runtime.runUntilIdle()
    let submitted = recorder.snapshot().filter { $0.kind == .submitted }
    #expect(submitted.map(\.name) == ["inner", "outer", "asks", "asked"])
    #expect(submitted[0].parent == maker && submitted[3].parent == submitted[0].span)
    #expect(edges == ["asks → asked: spawned"])
    #expect(record.steps.first { $0.label == "asks" }?.work == 7_000_000)
    withExtendedLifetime(outer) {}
  }

  @Test func `a dropped completion is recorded for its item`() {
    let queue = SerialQueue("net", runtime: runtime)
    queue.enqueueWithCompletion(.label("forgets")) { (_: SerialQueue.Done<Void>) in }
    runtime.runUntilIdle()
    #expect(record.lints.map(\.rule) == ["completion-dropped"])
    #expect(record.lints.map(\.step) == ["net/forgets"])
    withExtendedLifetime(queue) {}
  }

  @Test func `an item that drops its completion immediately ends by itself`() {
    let queue = SerialQueue("net", runtime: runtime)
    let outer = SerialQueue("outer", runtime: runtime)
    outer.enqueue(.label("asks")) {
      queue.enqueueWithCompletion(.label("forgets")) { (_: SerialQueue.Done<Void>) in }
    }
    runtime.runUntilIdle()
    let ends = recorder.snapshot().filter { $0.kind == .finished }
    #expect(ends.map(\.cause) == [.itself, .itself])
    withExtendedLifetime((queue, outer)) {}
  }

  @Test func `after a suspension no other item is the cause of the next start`() {
    let queue = SerialQueue("net", runtime: runtime)
    queue.enqueueWithCompletion(.label("first"), work: later(10))
    queue.enqueueWithCompletion(.label("second"), work: later(10))
    at(5) { queue.suspend() }
    at(20) { queue.resume() }
    runtime.runUntilIdle()
    #expect(
      steps.dropFirst() == ["net/first 0–0–10 success", "net/second 0–20–30 success"])
    #expect(edges == [])
    withExtendedLifetime(queue) {}
  }

  @Test func `a chain of handlers and an animation queue are recorded as queues`() {
    HandlerChain(
      [{ [runtime] then in runtime.pool.schedule(after: .ms(5)) { then() } }], runtime: runtime)
    let animations = SerialAnimationQueue(runtime: runtime)
    animations.animate(withDuration: .ms(300)) {}
    runtime.runUntilIdle()
    #expect(record.steps.map(\.path).prefix(2) == ["chain", "chain/item-1"])
    #expect(record.steps.map(\.path).contains("animations/item-1"))
    withExtendedLifetime(animations) {}
  }

  @Test func `a trace does not change the order of execution`() {
    func entries(_ trace: (any TraceSink)?, seed: UInt64) -> [String] {
      let runtime = SimulatedRuntime(workers: 2, seed: seed, trace: trace)
      let queue = SerialQueue(width: Int(seed % 3) + 1, runtime: runtime)
      let log = Log()
      for index in 0..<20 {
        let name = "\(index)@"
        let now: @Sendable () -> String = { "\(runtime.now.nanoseconds / 1_000_000)" }
        switch (UInt64(index) &* 7 &+ seed) % 4 {
        case 0: queue.enqueue { log.append(name + now()) }
        case 1:
          queue.enqueueWithCompletion { done in
            runtime.pool.schedule(after: .ms(index)) {
              log.append(name + now())
              done()
            }
          }
        case 2: queue.enqueue { try await runtime.clock.sleep(for: .ms(3)) }
        default:
          queue.enqueue(.priority(.high)) {
            runtime.work(for: .ms(2))
            log.append(name + now())
          }
        }
      }
      runtime.runUntilIdle()
      return log.entries.sorted()
    }
    for seed: UInt64 in 0..<30 {
      #expect(entries(Recorder(clock: .virtual), seed: seed) == entries(nil, seed: seed))
    }
  }

  @Test func `the same seed gives the same trace`() {
    func trace() -> [String] {
      let recorder = Recorder(clock: .virtual)
      let runtime = SimulatedRuntime(seed: 7, trace: recorder)
      let queue = SerialQueue(width: 2, runtime: runtime)
      for index in 0..<6 {
        runtime.pool.schedule { queue.enqueue { runtime.work(for: .ms(index)) } }
      }
      runtime.runUntilIdle()
      return recorder.snapshot().map { "\($0)" }
    }
    #expect(trace() == trace())
  }

  @Test func `without a recorder items carry nothing for a trace`() {
    /// A sink that assigns no span numbers to queue items.
    final class Deaf: TraceSink {
      let log = Log()
      func record(_ event: consuming TraceEvent) { log.append("\(event.kind)") }
    }
    let deaf = Deaf()
    let log = Log()
    for trace in [nil, deaf] {
      let runtime = SimulatedRuntime(trace: trace)
      let queue = SerialQueue("net", runtime: runtime)
      let item = queue.enqueue { log.append("\(LaneContext.current.span)") }
      let other = queue.enqueueWithCompletion { done in done() }
      runtime.runUntilIdle()
      #expect(queue.storage.trace == nil && item.item.extras == nil && other.item.extras == nil)
    }
    #expect(log.entries == ["\(Span.none)", "\(Span.none)"] && deaf.log.entries == [])
  }

  @Test(.timeLimit(.minutes(1)))
  func `on the real clock an item is recorded without further imports`() async throws {
    let recorder = Recorder(clock: .live)
    let runtime = LiveRuntime.shared.tracing(to: recorder)
    let queue = SerialQueue("net", runtime: runtime)
    let (arrivals, arriving) = AsyncStream.makeStream(of: Never.self)
    queue.enqueue(.label("fetch")) {
      for await _ in arrivals {}
      try await runtime.clock.sleep(for: .milliseconds(1))
    }
    queue.enqueue(.label("parse")) { runtime.work(for: .milliseconds(1)) }
    let stored = queue.enqueue(.label("store")) { () throws -> Int in 3 }
    arriving.finish()
    #expect(try await stored.value == 3)
    let record = RunRecord(events: recorder.snapshot(), clock: .live, result: .success(.none))
    #expect(record.steps.map(\.path) == ["net", "net/fetch", "net/parse", "net/store"])
    #expect(record.steps.allSatisfy { $0.outcome == .success } && record.lints == [])
    #expect(record.criticalPath == ["fetch", "parse", "store"])
    #expect(record.steps[2].work >= 1_000_000)
  }
}
