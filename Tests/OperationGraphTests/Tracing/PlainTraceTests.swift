import AsyncSimulation
import Testing
import TimingTrace

@testable import OperationGraph

/// Checks what runs of graphs without options record in the trace.
@Suite struct PlainTraceTests {
  private func diamond(_ traced: TracedRun) -> OperationGraph {
    var graph = OperationGraph("build")
    let a = graph.add("a", perform: traced.busy(10))
    let b = graph.add("b", after: a, perform: traced.busy(20))
    let c = graph.add("c", after: a, perform: traced.busy(5))
    graph.add("d", after: b, c, perform: traced.busy(10))
    return graph
  }

  @Test func `a run is a span, each operation is a span in it, and all events are in order`() {
    let traced = TracedRun()
    let log = Log()
    let graph = diamond(traced)
    traced.runtime.main.schedule {
      graph.start(runtime: traced.runtime) { _ in log.append("finished") }
    }
    traced.stage.finish()
    let names = ["build", "a", "b", "c", "d"]
    let lines = traced.recorder.snapshot().map { event -> String in
      func name(_ span: Span) -> String { span == .none ? "–" : names[Int(span.id & 0xFF) - 1] }
      let time = event.time.nanoseconds / 1_000_000
      return switch event.kind {
      case .submitted: "\(event.name), a \(event.detail) in \(name(event.parent)) \(time)"
      case .awaited: "\(name(event.span)) awaited \(name(event.cause.span)) \(time)"
      default:
        "\(event.kind) \(name(event.span)) \(time) on \(event.lane.number)"
          + (event.kind == .started && event.cause.kind == .end
            ? " after \(name(event.cause.span))" : "")
      }
    }
    #expect(
      lines == [
        "build, a graph in – 0", "started build 0 on 0", "a, a operation in build 0",
        "b, a operation in build 0", "c, a operation in build 0", "d, a operation in build 0",
        "started a 0 on 1", "worked a 10 on 1", "finished a 10 on 1", "b awaited a 10",
        "c awaited a 10",
        "started b 10 on 1", "started c 10 on 2", "worked c 15 on 2", "finished c 15 on 2",
        "d awaited c 15", "worked b 30 on 1", "finished b 30 on 1", "d awaited b 30",
        "started d 30 on 1",
        "worked d 40 on 1", "finished d 40 on 1", "finished build 40 on 1",
      ])
    #expect(log.entries == ["finished"])
  }

  @Test(arguments: [Placement.pool, .inline, .main])
  func `the analysis has makespan, work and critical path, and no finding`(
    placement: Placement
  ) {
    let isSideBySide = if case .pool = placement { true } else { false }
    let traced = TracedRun(workers: isSideBySide ? 4 : 1)
    let graph = diamond(traced)
    traced.runtime.main.schedule { graph.start(on: placement, runtime: traced.runtime) { _ in } }
    traced.stage.finish()
    let record = traced.record
    #expect(record.pattern == "graph" && record.steps.map(\.path) == ["a", "b", "c", "d"])
    #expect(record.makespan == (isSideBySide ? 40_000_000 : 45_000_000))
    #expect(record.work == 45_000_000 && record.lints == [])
    #expect(
      traced.edges.filter { $0.hasSuffix("dependency") } == [
        "a → b: dependency", "a → c: dependency",
        isSideBySide ? "c → d: dependency" : "b → d: dependency",
        isSideBySide ? "b → d: dependency" : "c → d: dependency",
      ])
    let pool = ["a 0+10", "b 10+20, dependency a", "d 30+10, dependency b"]
    let line = ["a 0+10", "b 10+20, dependency a", "c 30+5, queue b", "d 35+10, dependency c"]
    #expect(traced.path == (isSideBySide ? pool : line))
  }

  @Test func `without dependencies, operations that wait for a worker are queued`() {
    let traced = TracedRun(workers: 2)
    var graph = OperationGraph()
    for index in 1...4 { graph.add("page-\(index)", perform: traced.busy(10)) }
    graph.start(runtime: traced.runtime) { _ in }
    traced.stage.finish()
    #expect(traced.edges == [])
    #expect(traced.record.makespan == 20_000_000 && traced.record.maxConcurrency == 2)
    #expect(traced.path.count == 2 && traced.path.last?.contains(", queue page-") == true)
    #expect(traced.analysis.queueWait == 20_000_000 && traced.analysis.dependencyWait == 0)
  }

  @Test func `with a width, an ended operation passes its permit to the next one`() {
    let traced = TracedRun()
    var graph = OperationGraph()
    for index in 1...4 { graph.add("page-\(index)", perform: traced.busy(10)) }
    graph.start(width: 2, runtime: traced.runtime) { _ in }
    traced.stage.finish()
    #expect(traced.edges.count == 2 && traced.edges.allSatisfy { $0.hasSuffix("permit-from") })
    #expect(traced.record.makespan == 20_000_000 && traced.record.maxConcurrency == 2)
    #expect(traced.path.count == 2 && traced.path.last?.contains(", permit-from page-") == true)
  }

  @Test(arguments: [false, true])
  func `if permits are always free, no operation waits for one`(canEndElsewhere: Bool) {
    let traced = TracedRun(workers: 2)
    var graph = OperationGraph()
    for index in 1...6 {
      let work = traced.busy(10)
      if canEndElsewhere {
        graph.addWithCompletion("page-\(index)") { done in
          work()
          done()
        }
      } else {
        graph.add("page-\(index)", perform: work)
      }
    }
    graph.start(width: 5, runtime: traced.runtime) { _ in }
    traced.stage.finish()
    #expect(traced.edges == [] && traced.record.maxConcurrency == 2)
    #expect(traced.path.count == 3 && traced.path.last?.contains(", queue page-") == true)
  }

  @Test(arguments: [Placement.pool, .inline])
  func `with a width an operation that ends elsewhere passes on its permit`(placement: Placement) {
    let traced = TracedRun()
    var graph = OperationGraph()
    for (index, time) in [10, 20, 5].enumerated() {
      graph.addWithCompletion(
        "\(index)", of: String.self, perform: traced.stage.work("\(index)", time))
    }
    graph.start(width: 2, on: placement, runtime: traced.runtime) { _ in }
    traced.stage.finish()
    #expect(traced.steps == ["0 0–0–10 success", "1 0–0–20 success", "2 0–10–15 success"])
    #expect(traced.edges == ["0 → 2: permit-from"])
  }

  @Test func `an operation ends when its code has returned and its done has been called`() {
    let traced = TracedRun()
    var graph = OperationGraph()
    let first = graph.addWithCompletion("first") { [runtime = traced.runtime] done in
      done()
      runtime.work(for: .ms(5))
    }
    graph.add("second", after: first) {}
    graph.start(runtime: traced.runtime) { _ in }
    traced.stage.finish()
    #expect(traced.steps == ["first 0–0–5 success", "second 0–5–5 success"])
  }

  @Test func `a failure is recorded, and its dependents never start`() throws {
    let traced = TracedRun()
    var graph = OperationGraph()
    let bad = graph.addWithCompletion(
      "bad", of: String.self, perform: traced.stage.fail("no such page", 10))
    graph.add("after", after: bad) {}
    let early = graph.addWithCompletion("early") { done in
      done(throwing: StepFailure("failed immediately"))
    }
    graph.add("next", after: early) {}
    graph.start(runtime: traced.runtime) { _ in }
    traced.stage.finish()
    #expect(
      traced.steps == [
        "bad 0–0–10 failure", "after 0–– skipped", "early 0–0–0 failure", "next 0–– skipped",
      ])
    #expect(try traced.step("bad").error == "no such page")
    #expect(try traced.step("early").error == "failed immediately")
    let end = try #require(traced.recorder.snapshot().last)
    #expect(end.kind == .finished && end.outcome == .failure && end.detail == "failed immediately")
    #expect(traced.edges == [] && traced.record.lints == [])
  }

  @Test func `a cancelled run is recorded`() throws {
    let traced = TracedRun()
    var graph = OperationGraph()
    let runs = graph.addWithCompletion(
      "runs", of: String.self, perform: traced.stage.work("runs", 90))
    graph.add("after", after: runs) {}
    let cancellation = Cancellation()
    graph.start(runtime: traced.runtime, cancellation: cancellation) { _ in }
    traced.stage.at(5) { cancellation.cancel() }
    traced.stage.finish()
    #expect(traced.steps == ["runs 0–0–5 cancelled", "after 0–– cancelled"])
    #expect(traced.recorder.snapshot().last?.outcome == .cancelled)
  }

  @Test func `a dropped completion is recorded for its operation`() throws {
    let traced = TracedRun()
    var graph = OperationGraph()
    graph.addWithCompletion("forgets") { _ in }
    graph.start(runtime: traced.runtime) { _ in }
    traced.stage.finish()
    #expect(traced.record.lints.map(\.rule) == ["completion-dropped"])
    #expect(traced.record.lints.map(\.step) == ["forgets"])
    #expect(try traced.step("forgets").outcome == .failure)
  }

  @Test func `asynchronous functions are recorded with their work`() throws {
    let traced = TracedRun()
    var graph = OperationGraph()
    let first = graph.add("first") { [runtime = traced.runtime] in
      try await runtime.clock.sleep(for: .ms(10))
      runtime.work(for: .ms(5))
    }
    graph.add("second", first) { [runtime = traced.runtime] _ in
      try await runtime.clock.sleep(for: .ms(1))
    }
    graph.start(runtime: traced.runtime) { _ in }
    traced.stage.finish()
    #expect(traced.steps == ["first 0–0–15 success", "second 0–15–16 success"])
    #expect(try traced.step("first").work == 5_000_000)
    #expect(traced.path == ["first 0+15", "second 15+1, dependency first"])
  }

  @Test func `a run is inside the span that started it, and its end belongs to that span`() throws {
    let traced = TracedRun()
    var inner = OperationGraph("inner")
    inner.addWithCompletion("deep", of: String.self, perform: traced.stage.work("deep", 5))
    var outer = OperationGraph("outer")
    let (graph, runtime) = (inner, traced.runtime)
    outer.addWithCompletion("nests") { done in
      graph.start(runtime: runtime) { _ in
        runtime.work(for: .ms(2))
        done()
      }
    }
    let (starter, ended) = (Span(id: 5), Locked(Span.none))
    LaneContext.current.perform(for: starter) {
      outer.start(runtime: runtime) { _ in ended.withLock { $0 = LaneContext.current.span } }
    }
    traced.stage.finish()
    #expect(
      traced.steps == [
        "nests 0–0–7 success", "nests/inner 0–0–5 success", "nests/inner/deep 0–0–5 success",
      ])
    // The time belongs to the code that waited for the inner run, not to its last operation.
    #expect(try traced.step("nests").work == 2_000_000)
    #expect(ended.withLock { $0 } == starter)
    #expect(traced.recorder.snapshot().first?.parent == starter)
  }

  @Test func `the rounds of a loop are spans inside it`() {
    let traced = TracedRun()
    var round = OperationGraph()
    let text = round.input(Int.self)
    let better = round.add("better", text) { [work = traced.busy(10)] number -> Int in
      work()
      return number + 1
    }
    var graph = OperationGraph("write")
    let draft = graph.add("draft") { 0 }
    let good = graph.loop("improve", from: draft, over: round, input: text, output: better) {
      $0 < 3
    }
    graph.add("print", good) { _ in }
    graph.start(runtime: traced.runtime) { _ in }
    traced.stage.finish()
    #expect(
      traced.steps == [
        "draft 0–0–0 success", "improve 0–0–30 success", "improve/round-1 0–0–10 success",
        "improve/round-1/better 0–0–10 success", "improve/round-2 10–10–20 success",
        "improve/round-2/better 10–10–20 success", "improve/round-3 20–20–30 success",
        "improve/round-3/better 20–20–30 success", "print 0–30–30 success",
      ])
    #expect(traced.record.steps.first { $0.label == "improve" }?.pattern == "loop")
    #expect(traced.path.last == "print 30+0, dependency improve")
    #expect(traced.record.lints == [])
  }

  @Test func `the operations of a part are named after it`() {
    let traced = TracedRun()
    var tests = OperationGraph()
    tests.add("compile", perform: traced.busy(5))
    var graph = OperationGraph()
    let part = graph.embed("tests", tests)
    graph.add("publish", after: part.end) {}
    graph.start(runtime: traced.runtime) { _ in }
    traced.stage.finish()
    #expect(
      traced.steps.map { $0.split(separator: " ")[0] } == [
        "tests/begin", "tests/compile", "tests/end", "publish",
      ])
    #expect(traced.path.last == "publish 5+0, dependency tests/end")
  }
}
