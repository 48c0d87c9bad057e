import AsyncPatterns
import Logging
import OperationGraph
import OperationGraphPatterns
import SerialQueue
import SerialQueuePatterns
import Testing
import TimingTrace
import TimingTraceBridge
import Tracing

/// Runs of the library and spans of a program, in one trace.
@Suite struct RunInTraceTests {
  let traced = Traced()

  @Test func `a run is part of the span that started it`() async throws {
    let serial = try pattern("serial", of: SerialQueuePlugin.self)
    let tracer = traced.tracer
    let log = Logger(label: "steps") { TimingLogHandler($0, tracer: tracer) }
    let load = Step("load") { input, scope in
      try await withTracer(tracer) {
        try await withSpan("query", context: scope.serviceContext) { _ in
          log.info("asked")
          try await scope.sleep(for: .microseconds(10))
          return input
        }
      }
    }
    let result = await withTracer(tracer) {
      await withSpan("request", ofKind: .server) { _ in
        withSpan("before") { _ in }
        let result = await outcome(
          of: Step("job", pattern: serial, steps: [load, .block("store", .milliseconds(2))]),
          on: LiveRuntime.shared.tracing(to: TracerSink()))
        withSpan("after") { _ in }
        return result
      }
    }
    #expect(throws: Never.self) { try result.get() }
    let record = traced.record
    #expect(
      record.steps.map(\.path) == [
        "request", "request/before", "request/job", "request/job/load", "request/job/load/query",
        "request/job/store", "request/after",
      ])
    #expect(record.edges.contains(EdgeRecord(from: "load", to: "store", kind: .dependency)))
    #expect(traced.marks(of: "query") == ["log.info: steps: asked"])
    #expect(try #require(traced.step("store")).blocked >= 2_000_000)
    // Whether `load` also had to queue for a worker of the shared pool depends on the other work in the process.
    let blocked = record.intervals.filter { $0.kind == .blocked }
    #expect(blocked.map(\.step) == ["request/job/store"])
    #expect(record.outcome == .success)
  }

  @Test func `concurrent runs do not mix`() async throws {
    let group = try pattern("group", of: OperationGraphPlugin.self)
    await withTracer(traced.tracer) {
      await withTaskGroup { tasks in
        for number in 1...8 {
          tasks.addTask {
            await withSpan("request-\(number)") { _ in
              let steps = (1...5).map { Step.sleep("s-\($0)", .microseconds(20)) }
              _ = await outcome(
                of: Step("job", pattern: group, steps: steps),
                on: LiveRuntime.shared.tracing(to: TracerSink()))
            }
          }
        }
      }
    }
    let record = traced.record
    #expect(record.steps.count == 8 * 7)
    for number in 1...8 {
      let paths = record.steps.map(\.path).filter { $0.hasPrefix("request-\(number)/job/") }
      #expect(paths.sorted() == (1...5).map { "request-\(number)/job/s-\($0)" })
    }
    #expect(record.lints.isEmpty)
  }

  @Test func `steps that the tracer records anyway are not recorded twice`() async throws {
    await withTracer(traced.tracer) {
      _ = await outcome(
        of: .sleep("once", .microseconds(10)),
        on: LiveRuntime.shared.tracing(to: TracerSink(passingOnTo: traced.recorder)))
    }
    #expect(traced.record.steps.map(\.label) == ["once"])
    #expect(traced.recorder.snapshot().count { $0.kind == .finished } == 1)
  }

  @Test func `a serial queue runs spans one after another`() async throws {
    let queue = SerialQueue("pages")
    let tracer = traced.tracer
    try await withTracer(tracer) {
      try await withSpan("request") { span in
        // The items of a queue run where the queue runs, so the context is passed explicitly.
        let pages = (1...4).map { page in
          queue.enqueue {
            await tracer.withSpan("page-\(page)", context: span.context) { _ in
              await Task.yield()
            }
          }
        }
        for page in pages { try await page.value }
      }
    }
    let record = traced.record
    #expect(
      record.steps.map(\.path) == ["request"] + (1...4).map { "request/page-\($0)" })
    #expect(record.maxConcurrency == 1)
    #expect(record.finishedInOrder(["page-1", "page-2", "page-3", "page-4"]))
    #expect(record.criticalPath == ["page-1", "page-2", "page-3", "page-4"])
  }

  @Test func `a graph runs spans in the order of their dependencies`() async throws {
    let tracer = traced.tracer
    try await withTracer(tracer) {
      try await withSpan("build") { span in
        let context = span.context
        var graph = OperationGraph()
        let code = graph.add("code") {
          await tracer.withSpan("code", context: context) { _ in await one(1) }
        }
        let pictures = graph.add("pictures") {
          await tracer.withSpan("pictures", context: context) { _ in await one(2) }
        }
        let bundle = graph.add("bundle", code, pictures) { code, pictures in
          await tracer.withSpan("bundle", context: context) { _ in
            await one(code) + pictures
          }
        }
        let result = try await graph.run(width: 2)
        #expect(try result[bundle] == 3)
      }
    }
    #expect(
      Set(traced.record.steps.map(\.path)) == [
        "build", "build/code", "build/pictures", "build/bundle",
      ])
    #expect(traced.record.criticalPath.last == "bundle")
  }
}

/// Returns a value, possibly after a suspension.
private func one(_ value: Int) async -> Int {
  await Task.yield()
  return value
}
