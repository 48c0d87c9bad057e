import AsyncPatterns
import AsyncSimulation
import InMemoryTracing
import OperationGraphPatterns
import SerialQueuePatterns
import Synchronization
import Testing
import TimingTrace
import TimingTraceBridge
import Tracing

@Suite struct TracerSinkTests {
  let tracer = InMemoryTracer()

  /// Runs a step on the virtual clock, which starts one second after the beginning of 1970.
  func run(
    _ step: Step, workers: Int = 4, in context: ServiceContext = .topLevel
  ) throws -> TracerSink {
    let sink = try #require(
      TracerSink(to: tracer, in: context, clock: .virtual, startingAt: 1_000_000_000))
    let runtime = SimulatedRuntime(workers: workers, trace: sink)
    Run(step, on: runtime) { _ in }
    runtime.runUntilIdle()
    return sink
  }

  @Test func `a run becomes spans with parents, times and links`() throws {
    let serial = try pattern("serial", of: SerialQueuePlugin.self)
    let graph = try pattern("graph", of: OperationGraphPlugin.self)
    var c = Step.sleep("c", .milliseconds(10))
    c.predecessors = ["a", "b"]
    let inner = Step(
      "inner", pattern: serial,
      steps: [.sleep("x", .milliseconds(1)), .sleep("y", .milliseconds(2))])
    var last = inner
    last.predecessors = ["c"]
    _ = try run(
      Step(
        "build", pattern: graph,
        steps: [.sleep("a", .milliseconds(10)), .sleep("b", .milliseconds(20)), c, last]))
    #expect(tracer.activeSpans.isEmpty)
    #expect(
      tracer.parents == [
        "build": "–", "a": "build", "b": "build", "c": "build", "inner": "build", "x": "inner",
        "y": "inner",
      ])
    func times(_ name: String) throws -> [UInt64] {
      let span = try #require(tracer.span(name))
      return [span.start, span.end].map { ($0 - 1_000_000_000) / 1_000_000 }
    }
    #expect(try times("build") == [0, 33])
    #expect(try times("b") == [0, 20])
    #expect(try times("c") == [20, 30])
    #expect(try times("y") == [31, 33])
    for link in ["a → c", "b → c", "c → inner", "x → y"] {
      #expect(tracer.links.contains { $0.hasPrefix(link) && $0.contains("dependency") })
    }
    let c2 = try #require(tracer.span("c"))
    #expect(c2.attributes.get("step.pattern") == "sleep")
    #expect(c2.attributes.get("step.outcome") == "success")
    #expect(c2.attributes.get("step.submitted_ns") == 0)
    #expect(c2.status?.code == .ok)
    #expect(Set(tracer.finishedSpans.map(\.traceID)).count == 1)
  }

  @Test func `failures are errors, and steps that never started have no span`() throws {
    let serial = try pattern("serial", of: SerialQueuePlugin.self)
    let failing = Step("fail") { _, scope, completion in
      scope.mark("tried", "once")
      completion(.failure(Broken()))
    }
    _ = try run(
      Step("job", pattern: serial, steps: [failing, .sleep("never", .milliseconds(1))]))
    let span = try #require(tracer.span("fail"))
    #expect(span.status == SpanStatus(code: .error, message: "the line is broken"))
    #expect(span.events.map(\.name) == ["tried"])
    #expect(span.events.first?.attributes.get("detail") == "once")
    #expect(tracer.span("job")?.status?.code == .error)
    #expect(tracer.span("never") == nil)
  }

  @Test func `a blocked thread is an event with its duration`() throws {
    _ = try run(.block("wait", .milliseconds(4)))
    let span = try #require(tracer.span("wait"))
    #expect(span.attributes.get("step.blocked_ns") == 4_000_000)
    #expect(span.events.map(\.name) == ["blocked"])
    #expect(span.events.first?.attributes.get("duration_ns") == 4_000_000)
    #expect(span.events.first?.nanosecondsSinceEpoch == 1_000_000_000)
  }

  @Test func `a step that waits for its lane before it ends records the wait`() throws {
    let group = try pattern("group", of: OperationGraphPlugin.self)
    let step = Step(
      "job", pattern: group,
      steps: [.sleep("a", .milliseconds(10)), .work("b", .milliseconds(30))])
    _ = try run(step, workers: 1)
    func check() throws {
      let span = try #require(tracer.span("a"))
      #expect(span.attributes.get("step.late_ns") == 20_000_000)
      #expect(span.events.map(\.name) == ["queued"])
      #expect(span.events.first?.attributes.get("duration_ns") == 20_000_000)
      #expect(span.events.first?.nanosecondsSinceEpoch == 1_010_000_000)
      #expect(tracer.span("b")?.attributes.get("step.late_ns") == nil)
    }
    try check()

    tracer.clearAll()
    let recorder = Recorder(clock: .virtual)
    let runtime = SimulatedRuntime(workers: 1, trace: recorder)
    Run(step, on: runtime) { _ in }
    runtime.runUntilIdle()
    RunRecord(
      events: recorder.snapshot(), name: "job", clock: .virtual, result: .success(.none)
    ).send(to: tracer, in: .topLevel, startingAt: 1_000_000_000)
    try check()
  }

  /// The timer belongs to the pattern of `items`, which contains the step `a` only indirectly.
  @Test func `a step that a late timer ends records how late it ended`() throws {
    let group = try pattern("group", of: OperationGraphPlugin.self)
    let serial = try pattern(
      "serial", of: SerialQueuePlugin.self, ["timeout": .duration(.milliseconds(10))])
    let part = Step("part", pattern: group, steps: [.sleep("a", .milliseconds(50))])
    _ = try run(
      Step(
        "job", pattern: group,
        steps: [
          .work("b", .milliseconds(30)), Step("items", pattern: serial, steps: [part]),
        ]), workers: 1)
    for name in ["a", "part"] {
      #expect(tracer.span(name)?.attributes.get("step.late_ns") == 20_000_000, "\(name)")
    }
  }

  @Test func `endOpenSpans ends the spans of steps that never complete`() throws {
    let serial = try pattern("serial", of: SerialQueuePlugin.self)
    let held = Locked<[Completion]>([])
    let hangs = Step("hangs") { _, _, completion in held.withLock { $0.append(completion) } }
    let sink = try run(Step("job", pattern: serial, steps: [hangs]))
    #expect(tracer.finishedSpans.isEmpty)
    sink.endOpenSpans()
    #expect(tracer.finishedSpans.map(\.operationName) == ["hangs", "job"])
    #expect(tracer.span("hangs")?.attributes.get("step.outcome") == "unfinished")
    #expect(tracer.span("hangs")?.status == nil)
    sink.endOpenSpans()
    #expect(tracer.finishedSpans.count == 2)
    withExtendedLifetime(held) {}
  }

  @Test func `a run inside a request has the request as its parent`() async throws {
    let serial = try pattern("serial", of: SerialQueuePlugin.self)
    let tracer = tracer
    // The code of a step runs on a worker, which does not inherit the tracer. So the step installs it again.
    let load = Step("outer") { input, scope in
      try await withTracer(tracer) {
        try await withSpan("own", context: scope.serviceContext) { _ in
          try await scope.sleep(for: .microseconds(10))
          return input
        }
      }
    }
    let result = await withTracer(tracer) {
      await withSpan("request") { _ in
        await outcome(
          of: Step("job", pattern: serial, steps: [load, .work("crunch", .milliseconds(1))]),
          on: LiveRuntime.shared.tracing(to: TracerSink()))
      }
    }
    #expect(throws: Never.self) { try result.get() }
    #expect(
      tracer.parents == [
        "request": "–", "job": "request", "outer": "job", "own": "outer", "crunch": "job",
      ])
    let request = try #require(tracer.span("request"))
    for span in tracer.finishedSpans {
      #expect(request.start <= span.start + 1_000_000 && span.end <= request.end + 1_000_000)
    }
  }

  @Test func `nothing is recorded without a tracer`() {
    #expect(TracerSink(to: NoOpTracer()) == nil)
    let recorder = Recorder(clock: .live)
    let sink = TracerSink(to: NoOpTracer(), passingOnTo: recorder)
    sink?.record(.started(Span(id: 1), at: .zero))
    #expect(recorder.snapshot().count == 1)
    #expect(sink?.nextSpan() == .outsideRuns(1))
  }

  @Test func `every event is passed on unchanged`() async throws {
    let recorder = Recorder(clock: .live)
    let sink = try #require(TracerSink(to: tracer, passingOnTo: recorder))
    let group = try pattern("group", of: OperationGraphPlugin.self)
    let steps = (1...20).map { Step.sleep("s-\($0)", .microseconds(50)) }
    _ = await outcome(
      of: Step("job", pattern: group, steps: steps), on: LiveRuntime.shared.tracing(to: sink))
    let record = RunRecord(events: recorder.snapshot(), clock: .live, result: .success(.none))
    #expect(record.steps.count == 20)
    #expect(tracer.finishedSpans.count == 21)
    for step in record.steps {
      let span = try #require(tracer.span(step.label))
      #expect(try Int64(span.end - span.start) == #require(step.duration))
    }
  }

  @Test func `a tracer that is itself traced causes no loop`() throws {
    let sinks = Locked<TracerSink?>(nil)
    let asked = Atomic<Int>(0)
    let looping = InMemoryTracer(
      idGenerator: .init(
        nextTraceID: { "trace" },
        nextSpanID: {
          let number = UInt32(asked.add(1, ordering: .relaxed).newValue)
          let sink = sinks.withLock { $0 }
          sink?.record(
            .submitted(Span(id: number + 100), in: .none, label: "", kind: "", at: .zero))
          sink?.record(.started(Span(id: number + 100), at: .zero))
          return "span-\(number)"
        }))
    let sink = try #require(TracerSink(to: looping))
    sinks.withLock { $0 = sink }
    let runtime = SimulatedRuntime(trace: sink)
    Run(.sleep("a", .milliseconds(1)), on: runtime) { _ in }
    runtime.runUntilIdle()
    #expect(asked.load(ordering: .relaxed) == 1)
    #expect(looping.finishedSpans.map(\.operationName) == ["a"])
    sinks.withLock { $0 = nil }
  }

  @Test func `a finished record is sent with its times`() throws {
    let recorder = Recorder(clock: .virtual)
    let runtime = SimulatedRuntime(trace: recorder)
    let serial = try pattern("serial", of: SerialQueuePlugin.self)
    let failing = Step("c") { _, _, completion in completion(.failure(Broken())) }
    Run(
      Step(
        "job", pattern: serial,
        steps: [
          .sleep("a", .milliseconds(10)), .block("b", .milliseconds(5)), failing,
          .sleep("never", .milliseconds(1)),
        ]), on: runtime
    ) { _ in }
    runtime.runUntilIdle()
    let record = RunRecord(
      events: recorder.snapshot(), name: "nightly", clock: .virtual, result: .failure(Broken()))
    let request = tracer.startSpan("request", context: .topLevel)
    record.send(to: tracer, in: request.context, startingAt: 5_000_000_000)
    request.end()
    #expect(
      tracer.parents == [
        "request": "–", "nightly": "request", "a": "nightly", "b": "nightly", "c": "nightly",
      ])
    let b = try #require(tracer.span("b"))
    #expect(b.start == 5_010_000_000)
    #expect(b.end == 5_015_000_000)
    #expect(b.events.first?.name == "blocked")
    #expect(tracer.links.contains { $0.hasPrefix("a → b") })
    #expect(tracer.span("c")?.status?.message == "the line is broken")
    #expect(tracer.span("nightly")?.status?.code == .error)
    #expect(tracer.span("nightly")?.end == 5_015_000_000)
    #expect(tracer.activeSpans.isEmpty)
  }
}
