import AsyncPatterns
import Testing
import TimingTrace
import TimingTraceBridge
import Tracing

@Suite struct TimingTracerTests {
  let traced = Traced()

  @Test func `spans within spans are steps within steps`() async throws {
    await withTracer(traced.tracer) {
      await withSpan("request", ofKind: .server) { _ in
        withSpan("look-up", ofKind: .client) { _ in }
        await withSpan("render") { _ in
          await withSpan("draw") { _ in await Task.yield() }
        }
      }
    }
    let record = traced.record
    #expect(record.outcome == .success)
    #expect(record.name == "test")
    #expect(
      record.steps.map(\.path) == [
        "request", "request/look-up", "request/render", "request/render/draw",
      ])
    #expect(record.steps.map(\.pattern) == ["server", "client", "internal", "internal"])
    #expect(record.steps.allSatisfy { $0.outcome == .success && $0.lane != nil })
    #expect(record.lints.isEmpty)
    #expect(record.edges == [EdgeRecord(from: "look-up", to: "render", kind: .dependency)])
    #expect(record.criticalPath == ["look-up", "draw"])
    #expect(record.causesAreInferred)
  }

  @Test func `spans of a task group are parallel`() async throws {
    let meeting = Meeting(of: 3)
    await withTracer(traced.tracer) {
      await withSpan("request") { _ in
        await withTaskGroup { group in
          for number in 1...3 {
            group.addTask {
              await withSpan("part-\(number)") { _ in
                await meeting.arrive()
                await withSpan("inner-\(number)") { _ in await Task.yield() }
              }
            }
          }
        }
      }
    }
    let record = traced.record
    #expect(record.steps.count == 7)
    for number in 1...3 {
      #expect(
        traced.step("inner-\(number)")?.path == "request/part-\(number)/inner-\(number)")
      let part = try #require(traced.step("part-\(number)"))
      let ends = record.steps.filter { $0.label.hasPrefix("part") }.compactMap(\.finished)
      // All children are running when the first of them ends.
      #expect(try #require(part.started) < #require(ends.min()))
    }
    #expect(record.edges.isEmpty)
    #expect(record.outcome == .success)
  }

  @Test func `a thrown error is a failure, but a cancellation is not`() async {
    withTracer(traced.tracer) {
      _ = try? withSpan("fails") { _ in throw Broken() }
      _ = try? withSpan("is-cancelled") { _ in throw CancellationError() }
      withSpan("says-so") { $0.setStatus(SpanStatus(code: .error, message: "no bread")) }
      withSpan("goes-on") { $0.recordError(Broken(), attributes: ["try": 1]) }
    }
    #expect(traced.step("fails")?.outcome == .failure)
    #expect(traced.step("fails")?.error == "the line is broken")
    #expect(traced.marks(of: "fails") == ["error: the line is broken"])
    #expect(traced.step("is-cancelled")?.outcome == .cancelled)
    #expect(traced.step("says-so")?.error == "no bread")
    #expect(traced.step("goes-on")?.outcome == .success)
    #expect(traced.marks(of: "goes-on") == ["error: the line is broken try=1"])
  }

  @Test func `a span that never ends is unfinished`() {
    let span = traced.tracer.startSpan("hangs")
    let record = traced.record
    #expect(record.outcome == .unfinished)
    #expect(record.steps.map(\.outcome) == [.unfinished])
    #expect(record.lints.map(\.rule) == ["never-completed"])
    #expect(span.isRecording)
    span.end()
    #expect(traced.record.outcome == .success)
  }

  @Test func `a span that is released before its end or ended twice is a finding`() {
    _ = traced.tracer.startSpan("forgotten")
    let twice = traced.tracer.startSpan("twice")
    twice.end()
    twice.end()
    let record = traced.record
    #expect(traced.step("forgotten")?.outcome == .failure)
    #expect(traced.step("forgotten")?.error == "released before its end")
    #expect(traced.step("twice")?.outcome == .success)
    #expect(record.lints.map(\.rule) == ["completion-dropped", "completed-twice"])
    #expect(record.lints.map(\.step) == ["forgotten", "twice"])
  }

  @Test func `times that the program passes are kept`() throws {
    let now = DefaultTracerClock.now.nanosecondsSinceEpoch
    func past(_ milliseconds: UInt64) -> DefaultTracerClock.Timestamp {
      .init(nanosecondsSinceEpoch: now - 10_000_000_000 + milliseconds * 1_000_000)
    }
    let outer = traced.tracer.startSpan("outer", context: .topLevel, at: past(10))
    let inner = traced.tracer.startSpan("inner", context: outer.context, at: past(15))
    let early = traced.tracer.startSpan("early", context: outer.context, at: past(3))
    inner.addEvent(SpanEvent(name: "half", at: past(20)))
    inner.end(at: past(25))
    early.end(at: past(1))
    outer.end(at: past(50))
    let record = traced.record
    #expect(record.makespan == 40_000_000)
    let step = try #require(traced.step("inner"))
    #expect(step.started == 5_000_000)
    #expect(step.finished == 15_000_000)
    let mark = try #require(traced.trace.events.first { $0.name == "event.half" })
    let first = try #require(traced.trace.events.first)
    #expect(first.time.duration(to: mark.time) == .milliseconds(10))
    // A child starts after its parent, and does not end before its own start.
    #expect(traced.step("early")?.path == "outer/early")
    #expect(traced.step("early")?.started == 1)
    #expect(traced.step("early")?.finished == 1)
    let start = traced.trace.start
    #expect(abs(start - Int64(past(10).nanosecondsSinceEpoch)) < 1_000_000_000)
  }

  @Test func `names, attributes, events and links are recorded`() throws {
    let producer = traced.tracer.startSpan("send", context: .topLevel, ofKind: .producer)
    producer.end()
    let consumer = traced.tracer.startSpan("/users/1", context: .topLevel, ofKind: .consumer)
    consumer.operationName = "/users/:id"
    consumer.attributes["http.status"] = 200
    consumer.updateAttributes { $0["cached"] = false }
    consumer.addEvent(SpanEvent(name: "committed", attributes: ["key": "k"]))
    consumer.addLink(SpanLink(context: producer.context, attributes: ["edge.kind": "woke"]))
    #expect(consumer.operationName == "/users/:id")
    consumer.end()
    consumer.attributes["late"] = true
    #expect(consumer.attributes.get("late") == nil)
    let record = traced.record
    #expect(record.steps.map(\.label) == ["send", "/users/:id"])
    #expect(
      traced.marks(of: "/users/:id") == [
        "renamed: /users/:id", "event.committed: key=k", "attributes: cached=false http.status=200",
      ])
    #expect(record.edges.contains(EdgeRecord(from: "send", to: "/users/:id", kind: .woke)))
    // An event belongs to the program, whatever its name means to the library.
    #expect(record.lints.isEmpty)
  }

  @Test func `a sink that gives out no span numbers records nothing`() {
    final class Deaf: TraceSink {
      func record(_ event: consuming TraceEvent) { Issue.record("recorded \(event.kind)") }
    }
    let tracer = TimingTracer(Deaf())
    let span = tracer.startSpan("unheard", context: .topLevel)
    #expect(!span.isRecording)
    span.attributes["a"] = 1
    span.recordError(Broken())
    span.end()
    #expect(tracer.activeSpan(identifiedBy: span.context) == nil)
  }

  @Test func `a context refers to its span until the span ends`() {
    let span = traced.tracer.startSpan("one", context: .topLevel)
    #expect(traced.tracer.activeSpan(identifiedBy: span.context)?.operationName == "one")
    #expect(Traced().tracer.activeSpan(identifiedBy: span.context) == nil)
    // Another trace does not know the span, so a span that starts there has no parent.
    let other = Traced()
    other.tracer.startSpan("two", context: span.context).end()
    #expect(other.step("two")?.path == "two")
    span.end()
    #expect(traced.tracer.activeSpan(identifiedBy: span.context) == nil)
  }

  @Test func `every export contains the spans`() {
    withTracer(traced.tracer) {
      withSpan("request") { _ in withSpan("look-up") { _ in } }
    }
    let trace = traced.trace
    for format in TraceFormat.allCases where format != .dot && format != .mermaid {
      #expect(format.text(of: [trace.run], startingAt: trace.start).contains("look-up"))
    }
    #expect(TraceFormat.dot.text(of: [trace.run]).contains("look-up"))
    #expect(Timeline(trace.record).render().contains("look-up"))
  }

  @Test func `an empty recording is an empty trace`() {
    #expect(traced.record.steps.isEmpty)
    #expect(traced.trace.events.isEmpty)
  }
}
