import AsyncSimulation
import Testing
import TimingTrace

@testable import OperationGraph

/// Checks what runs with all options record in the trace.
@Suite struct CoordinatedTraceTests {
  private let traced = TracedRun()
  private var stage: Stage { traced.stage }

  @Test func `each attempt is recorded as a start of its own, after the previous one`() throws {
    var graph = OperationGraph()
    let count = Locked(0)
    let flaky = graph.add("flaky", with: .retry(3, backoff: .constant(.ms(20)))) {
      [runtime = traced.runtime] in
      runtime.work(for: .ms(5))
      let attempt = count.withLock { count in
        count += 1
        return count
      }
      if attempt < 3 { throw StepFailure("attempt \(attempt)") }
    }
    graph.add("after", after: flaky, perform: traced.busy(10))
    graph.start(runtime: traced.runtime) { _ in }
    stage.finish()
    #expect(
      traced.steps == [
        "flaky 0–0–5 failure", "after 0–55–65 success", "flaky 25–25–30 failure",
        "flaky 50–50–55 success",
      ])
    #expect(
      traced.path == [
        "flaky 0+5", "flaky 25+5, dependency flaky (+20 timer)",
        "flaky 50+5, dependency flaky (+20 timer)", "after 55+10, dependency flaky",
      ])
    #expect(traced.record.makespan == 65_000_000 && traced.record.lints == [])
  }

  @Test func `a skipped operation never starts, and a cancelled one is recorded as such`() throws {
    var graph = OperationGraph()
    let number = graph.add("number", perform: { () -> Int in 1 })
    let large = graph.add("large", number, when: { $0 > 5 }, perform: { $0 })
    graph.add("after large", large) { _ in }
    let long = graph.addWithCompletion("long", of: String.self, perform: stage.work("long", 50))
    let waits = graph.add("waits", after: long) {}
    graph.add("behind", after: waits) {}
    let run = try graph.launch(onFailure: .finishIndependent, runtime: traced.runtime)
    stage.at(10) { run.cancel(waits) }
    stage.finish()
    #expect(
      traced.steps == [
        "number 0–0–0 success", "large 0–– skipped", "after large 0–– skipped",
        "long 0–0–50 success", "waits 0–– cancelled", "behind 0–– cancelled",
      ])
    #expect(traced.recorder.snapshot().last?.outcome == .success)
    #expect(traced.record.lints == [])
  }

  @Test func `after a failure only dependents with a matching trigger start`() throws {
    var graph = OperationGraph()
    let fetch = graph.addWithCompletion(
      "fetch", of: String.self, perform: stage.fail("no such page", 10))
    let parse = graph.add("parse", after: fetch) {}
    graph.add("mend", after: fetch, with: .trigger(.anyFailed), perform: traced.busy(5))
    graph.add("tidy", after: parse, with: .trigger(.allDone), perform: traced.busy(1))
    graph.start(onFailure: .finishIndependent, runtime: traced.runtime) { _ in }
    stage.finish()
    #expect(
      traced.steps == [
        "fetch 0–0–10 failure", "parse 0–– skipped", "mend 0–10–15 success", "tidy 0–10–11 success",
      ])
    #expect(traced.path == ["fetch 0+10", "mend 10+5, dependency fetch"])
    let end = try #require(traced.recorder.snapshot().last)
    #expect(end.outcome == .failure && end.detail == "no such page")
  }

  @Test func `with the policy stop no queued operation is recorded as cancelled`() {
    var graph = OperationGraph()
    graph.addWithCompletion(
      "bad", of: String.self, with: .priority(.high), perform: stage.fail("bad", 10))
    let long = graph.addWithCompletion("long", of: String.self, perform: stage.work("long", 20))
    graph.add("waits", after: long) {}
    graph.start(runtime: traced.runtime) { _ in }
    stage.finish()
    #expect(
      traced.steps == ["bad 0–0–10 failure", "long 0–0–20 success", "waits 0–– skipped"])
  }

  @Test func `an operation passes its resource to the next one that waits for it`() {
    var graph = OperationGraph()
    for name in ["a", "b", "c"] {
      graph.addWithCompletion(
        name, of: String.self, with: .exclusive("db"), perform: stage.work(name, 10))
    }
    graph.addWithCompletion("free", of: String.self, perform: stage.work("free", 25))
    graph.start(runtime: traced.runtime) { _ in }
    stage.finish()
    #expect(traced.edges == ["a → b: permit-from", "b → c: permit-from"])
    #expect(traced.path == ["a 0+10", "b 10+10, permit-from a", "c 20+10, permit-from b"])
    #expect(traced.analysis.queueWait == 30_000_000)
  }

  @Test func `a permit that a failed attempt releases is recorded with its operation`() {
    var graph = OperationGraph()
    graph.addWithCompletion(
      "flaky", of: String.self, with: .retry(2), perform: stage.fail("flaky", 10))
    graph.addWithCompletion("other", of: String.self, perform: stage.work("other", 5))
    graph.start(width: 1, onFailure: .continue, runtime: traced.runtime) { _ in }
    stage.finish()
    #expect(
      traced.steps == [
        "flaky 0–0–10 failure", "other 0–10–15 success", "flaky 10–15–25 failure",
      ])
    #expect(
      traced.path == [
        "flaky 0+10", "other 10+5, permit-from flaky", "flaky 15+10, permit-from other",
      ])
  }

  @Test func `an operation that times out is recorded as failed at that time`() throws {
    var graph = OperationGraph()
    graph.addWithCompletion("slow", with: .timeout(.ms(10))) { [runtime = traced.runtime] done in
      runtime.pool.schedule(after: .ms(30)) { done() }
    }
    graph.start(runtime: traced.runtime) { _ in }
    stage.finish()
    #expect(traced.steps == ["slow 0–0–10 failure"])
    #expect(try traced.step("slow").error?.contains("timed out") == true)
    #expect(traced.record.lints == [])
  }

  @Test func `an operation added during a run is recorded as spawned by its creator`() throws {
    var graph = OperationGraph()
    graph.add("list") { [runtime = traced.runtime] () throws -> Void in
      runtime.work(for: .ms(5))
      _ = try GraphRun.current?.add { graph in
        let page = graph.add("page") { runtime.work(for: .ms(10)) }
        return graph.add("index", after: page) { runtime.work(for: .ms(1)) }
      }
    }
    let run = try graph.launch(isOpen: true, runtime: traced.runtime)
    stage.at(8) { run.close() }
    stage.finish()
    #expect(
      traced.steps == ["list 0–0–5 success", "page 5–5–15 success", "index 5–15–16 success"])
    #expect(
      traced.edges == [
        "list → page: spawned", "list → index: spawned", "page → index: dependency",
      ])
    #expect(
      traced.path == ["list 0+5", "page 5+10, spawned list", "index 15+1, dependency page"])
  }

  @Test func `an operation of another run ends in this trace when it ends there`() throws {
    var build = OperationGraph("build")
    let code = build.addWithCompletion("code", of: String.self, perform: stage.work("code", 20))
    let building = try build.launch(runtime: traced.runtime)
    var release = OperationGraph("release")
    let there = release.wait(for: building.operation(code), named: "built")
    release.add("ship", there) { [work = traced.busy(5)] _ in work() }
    _ = try release.launch(runtime: traced.runtime)
    stage.finish()
    #expect(
      traced.steps == [
        "code 0–0–20 success", "release 0–0–25 success", "release/built 0–20–20 success",
        "release/ship 0–20–25 success",
      ])
    #expect(
      traced.path == [
        "code 0+20", "release/built 20+0, dependency code",
        "release/ship 20+5, dependency release/built",
      ])
  }

  @Test func `priorities are recorded, so that the lints can use them`() {
    var graph = OperationGraph()
    graph.add("low", with: .priority(.low)) {}
    graph.add("usual") {}
    graph.add("high", with: .priority(.high)) {}
    graph.start(width: 1, runtime: traced.runtime) { _ in }
    stage.finish()
    let marks = traced.recorder.snapshot().filter { $0.kind == .mark }
    #expect(
      marks.map { "\($0.name) \($0.detailText)" } == ["priority low, low", "priority high, high"])
    #expect(traced.record.lints == [])
  }

  @Test func `observers get the same notifications with and without a trace`() throws {
    struct Teller: GraphObserver {
      let log: Log
      func operationFinished(_ operation: GraphOperation, _ state: OperationState) {
        log.append("\(operation.name) \(state)")
      }
      func runFinished(_ result: Result<GraphResult, any Error>) { log.append("finished") }
    }
    func entries(_ stage: Stage) throws -> [String] {
      var graph = OperationGraph()
      let flaky = graph.addWithCompletion(
        "flaky", of: String.self, with: .retry(2), perform: stage.fail("no", 10))
      graph.add("after", after: flaky) {}
      let log = Log()
      let tellers = [Teller(log: log), Teller(log: log)]
      _ = try graph.launch(onFailure: .continue, observers: tellers, runtime: stage.runtime)
      stage.finish()
      return log.entries
    }
    #expect(try entries(stage) == entries(Stage()))
    #expect(traced.record.steps.count == 3)
  }
}
