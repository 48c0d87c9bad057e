import PatternTesting
import Testing
import TimingTrace

@testable import OperationGraph

/// Tests runs with and without a recorder.
@Suite struct RecorderTests {
  /// A sink that assigns no span numbers to operations.
  private final class SpanlessSink: TraceSink {
    let log = Log()
    func record(_ event: consuming TraceEvent) { log.append("\(event.kind)") }
  }

  private func graph() -> OperationGraph {
    var graph = OperationGraph()
    let first = graph.add("first") { LaneContext.current.span }
    let second = graph.addWithCompletion("second", first, of: Span.self) { span, done in done(span)
    }
    graph.add("third", after: second) {}
    return graph
  }

  @Test func `without a recorder no clock is read, and no work runs on behalf of an operation`()
    throws
  {
    for trace in [SpanlessSink?.none, SpanlessSink()] {
      let simulated = SimulatedRuntime(trace: trace)
      let runtime = WatchedRuntime(simulated)
      let spans = Log()
      var graph = graph()
      for width in [2, 9] {
        graph.add("span \(width)") { spans.append("\(LaneContext.current.span)") }
        graph.start(width: width, runtime: runtime) { _ in }
        _ = try graph.launch(width: width, runtime: runtime)
      }
      simulated.runUntilIdle()
      #expect(runtime.readings == 0)
      #expect(Set(spans.entries) == ["\(Span.none)"] && spans.entries.count == 6)
      #expect(trace?.log.entries ?? [] == [])
    }
    // The clock counts how often it is read.
    let recorder = Recorder(clock: .virtual)
    let simulated = SimulatedRuntime(trace: recorder)
    let runtime = WatchedRuntime(simulated)
    graph().start(runtime: runtime) { _ in }
    simulated.runUntilIdle()
    #expect(runtime.readings > 0)
  }

  /// A failure whose description reads its run.
  private final class Asking: Error, CustomStringConvertible {
    let run = Locked<GraphRun?>(nil)
    var description: String {
      let run = run.withLock { $0 }
      run?.suspend()
      return "\(run?.progress.finished ?? -1) finished"
    }
  }

  @Test func `a failure is described under no lock`() throws {
    let recorder = Recorder(clock: .virtual)
    let runtime = SimulatedRuntime(trace: recorder)
    let failure = Asking()
    var graph = OperationGraph()
    graph.add("fails") { throw failure }
    let run = try graph.launch(runtime: runtime)
    failure.run.withLock { $0 = run }
    runtime.runUntilIdle()
    let traced = recorder.snapshot().filter { $0.kind == .finished }.map(\.detail)
    #expect(traced.contains("1 finished"), "\(traced)")
  }

  /// A failure whose description ends another operation.
  private final class Ending: Error, CustomStringConvertible {
    let done = Locked<OperationGraph.Done<Void>?>(nil)
    let log = Log()

    var description: String {
      if let done = done.withLock({ $0.take() }) {
        done()
        log.append("done")
      }
      return "ends another one"
    }
  }

  @Test func `the completion runs where the last operation ends, even while another is recorded`()
    throws
  {
    let recorder = Recorder(clock: .virtual)
    let runtime = SimulatedRuntime(trace: recorder)
    let failure = Ending()
    var graph = OperationGraph()
    graph.addWithCompletion("last") { done in failure.done.withLock { $0 = done } }
    graph.add("fails") {
      runtime.work(for: .ms(10))
      throw failure
    }
    _ = try graph.launch(runtime: runtime) { _ in failure.log.append("finished") }
    runtime.runUntilIdle()
    #expect(failure.log.entries == ["finished", "done"])
    #expect(recorder.snapshot().filter { $0.kind == .finished }.count == 3)
  }

  @Test func `there is no trace of a run without a recorder`() {
    let table = graph().table
    #expect(GraphTrace("graph", on: SimulatedRuntime()) == nil)
    #expect(GraphTrace("graph", on: SimulatedRuntime(trace: SpanlessSink())) == nil)
    #expect(CoordinatedTrace("graph", table, on: SimulatedRuntime()) == nil)
    let runtime = SimulatedRuntime(trace: Recorder(clock: .virtual))
    #expect(GraphTrace(nil, on: runtime) == nil)
    #expect(GraphTrace("graph", on: runtime) != nil)
  }

  @Test(arguments: ["graph", "group", "bounded"])
  func `steps under a pattern are recorded once, by its scope`(pattern: String) throws {
    let outcome = try simulate(
      pattern, [.sleep("a", .ms(10)), .sleep("b", .ms(10)), .sleep("c", .ms(5))],
      width: pattern == "group" ? nil : 2)
    #expect(outcome.recording.times(.submitted) == ["whole@0", "a@0", "b@0", "c@0"])
    #expect(outcome.recording.times(.started).count == 4)
  }

  @Test(.timeLimit(.minutes(1)))
  func `on the real clock a run is recorded without further imports`() async throws {
    let recorder = Recorder(clock: .live)
    let runtime = LiveRuntime.shared.tracing(to: recorder)
    var graph = OperationGraph("build")
    let fetch = graph.add("fetch") { () async throws -> Int in
      try await runtime.clock.sleep(for: .milliseconds(2))
      return 1
    }
    let parse = graph.add("parse", fetch) { number in
      runtime.work(for: .milliseconds(1))
      return number + 1
    }
    let store = graph.addWithCompletion("store", parse, of: Int.self) { number, done in
      runtime.pool.schedule(after: .milliseconds(1)) { done(number) }
    }
    #expect(try await graph.run(runtime: runtime)[store] == 2)
    let run = try graph.launch(runtime: runtime)
    #expect(try await run.value[store] == 2)
    let events = recorder.snapshot()
    let record = RunRecord(events: events, clock: .live, result: .success(.none))
    let paths = ["fetch", "parse", "store"]
    #expect(record.steps.map(\.path) == paths + ["build"] + paths.map { "build/" + $0 })
    #expect(record.steps.allSatisfy { $0.outcome == .success } && record.lints == [])
    #expect(Set(record.edges.map(\.kind)) == [.dependency] && record.edges.count == 4)
    let second = try #require(record.opened(at: "build").first)
    #expect(second.steps.filter(\.isCritical).map(\.label) == paths)
    #expect(second.work >= 1_000_000)
  }
}
