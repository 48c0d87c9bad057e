import AsyncSimulation
import OperationGraph
import Testing

@Suite struct GraphReportTests {
  private let stage = Stage()

  /// Each entry of a report as text: its name, with `*` if it is critical, its start, its end and its slack.
  private func rows(_ report: GraphReport) -> [String] {
    report.entries.map { entry in
      let times = [entry.started, entry.finished, entry.slack].map { $0?.shortDescription ?? "–" }
      return "\(entry.operation.name)\(entry.isCritical ? "*" : "") \(times.joined(separator: " "))"
    }
  }

  @Test func `a report has the critical path and the slack of each operation`() throws {
    var graph = OperationGraph()
    let a = graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 10))
    let b = graph.addWithCompletion("b", of: String.self, perform: stage.work("b", 30))
    let c = graph.addWithCompletion("c", of: String.self, after: a, perform: stage.work("c", 5))
    graph.addWithCompletion("d", of: String.self, after: b, c, perform: stage.work("d", 10))
    let run = try graph.launch(isRecording: true, runtime: stage.runtime)
    stage.finish()
    let report = try #require(run.report)
    #expect(
      rows(report) == [
        "a 0ns 10ms 15ms", "b* 0ns 30ms 0ns", "c 10ms 15ms 15ms", "d* 30ms 40ms 0ns",
      ])
    #expect(report.makespan == .ms(40))
    #expect(report.criticalPath.map(\.name) == ["b", "d"])
    #expect(report[c].latestStart == .ms(25) && report[c].latestFinish == .ms(30))
    #expect(report[a].duration == .ms(10) && report[a].ready == .zero && report[a].attempts == 1)
  }

  @Test func `the operation that freed a permit is on the path of the one that got it`() throws {
    var graph = OperationGraph()
    graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 10))
    graph.addWithCompletion("b", of: String.self, perform: stage.work("b", 20))
    graph.addWithCompletion("c", of: String.self, perform: stage.work("c", 30))
    let run = try graph.launch(width: 2, isRecording: true, runtime: stage.runtime)
    stage.finish()
    let report = try #require(run.report)
    #expect(rows(report) == ["a* 0ns 10ms 0ns", "b 0ns 20ms 20ms", "c* 10ms 40ms 0ns"])
    #expect(report.criticalPath.map(\.name) == ["a", "c"])
  }

  @Test func `two operations that wait for two ends each follow a different one`() throws {
    var graph = OperationGraph()
    for (name, duration) in [("a", 10), ("b", 10), ("c", 5), ("d", 7)] {
      graph.addWithCompletion(name, of: String.self, perform: stage.work(name, duration))
    }
    let run = try graph.launch(width: 2, isRecording: true, runtime: stage.runtime)
    stage.finish()
    let report = try #require(run.report)
    #expect(report.makespan == .ms(17))
    // One of the first two has the slack of c. The slack of the other one is zero.
    #expect(report.entries.prefix(2).map(\.slack).sorted { $0! < $1! } == [.zero, .ms(2)])
    #expect(report.entries[2].slack == .ms(2) && report.entries[3].slack == .zero)
  }

  @Test func `an operation that did not run has no slack, but a dependent that ran does`() throws {
    var graph = OperationGraph()
    let a = graph.addWithCompletion("a", of: String.self, perform: stage.fail("a", 10))
    let b = graph.addWithCompletion("b", of: String.self, after: a, perform: stage.work("b", 10))
    let c = graph.addWithCompletion(
      "c", of: String.self, after: b, with: .trigger(.allDone), perform: stage.work("c", 20))
    let run = try graph.launch(
      onFailure: .continue, isRecording: true, runtime: stage.runtime)
    stage.finish()
    let report = try #require(run.report)
    #expect(rows(report) == ["a* 0ns 10ms 0ns", "b – 10ms –", "c* 10ms 30ms 0ns"])
    #expect(report[b].attempts == 0 && report[c].isCritical)
  }

  @Test func `an operation with the trigger any does not wait for the others`() throws {
    var graph = OperationGraph()
    let quick = graph.addWithCompletion("quick", of: String.self, perform: stage.work("quick", 10))
    let slow = graph.addWithCompletion("slow", of: String.self, perform: stage.work("slow", 25))
    let next = graph.addWithCompletion(
      "next", of: String.self, after: quick, slow, with: .trigger(.anySucceeded),
      perform: stage.work("next", 20))
    let run = try graph.launch(isRecording: true, runtime: stage.runtime)
    stage.finish()
    let report = try #require(run.report)
    #expect(report.criticalPath.map(\.name) == ["quick", "next"])
    #expect(report[slow].slack == .ms(5) && report[next].started == .ms(10))
  }

  @Test func `a report needs recording, and during a run it covers ended operations`() throws {
    var graph = OperationGraph()
    let a = graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 10))
    let b = graph.addWithCompletion("b", of: String.self, after: a, perform: stage.work("b", 10))
    let silent = try graph.launch(runtime: stage.runtime)
    let run = try graph.launch(isRecording: true, runtime: stage.runtime)
    let seen = Locked<GraphReport?>(nil)
    stage.at(15) { seen.withLock { $0 = run.report } }
    stage.finish()
    #expect(silent.report == nil)
    let report = try #require(seen.withLock { $0 })
    #expect(report[a].slack == .zero && report[b].started == .ms(10))
    #expect(report[b].finished == nil && report[b].slack == nil && report[b].duration == nil)
  }

  @Test func `the duration of a retried operation includes all of its attempts`() throws {
    var graph = OperationGraph()
    let count = Locked(0)
    let (first, second) = (stage.fail("a", 10), stage.work("a", 5))
    let a = graph.addWithCompletion(
      "a", of: String.self, with: .retry(2, backoff: .constant(.ms(20)))
    ) { done in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == 1 { first(done) } else { second(done) }
    }
    let run = try graph.launch(isRecording: true, runtime: stage.runtime)
    stage.finish()
    let entry = try #require(run.report)[a]
    #expect(entry.duration == .ms(35) && entry.attempts == 2)
  }

  @Test func `a report is readable as a table`() throws {
    var graph = OperationGraph()
    let a = graph.addWithCompletion("fetch", of: String.self, perform: stage.work("a", 10))
    graph.addWithCompletion("b", of: String.self, perform: stage.work("b", 4))
    graph.addWithCompletion("store", of: String.self, after: a, perform: stage.work("c", 2))
    let run = try graph.launch(isRecording: true, runtime: stage.runtime)
    stage.finish()
    #expect(
      try #require(run.report).description == """
           operation  started  finished  took  slack
        *  fetch          0ns      10ms  10ms    0ns
           b              0ns       4ms   4ms    8ms
        *  store         10ms      12ms   2ms    0ns
        makespan 12ms, critical path: fetch, store
        """)
  }

  @Test func `an empty graph has an empty report`() throws {
    let run = try OperationGraph().launch(isRecording: true, runtime: stage.runtime)
    stage.finish()
    let report = try #require(run.report)
    #expect(report.entries.isEmpty && report.makespan == .zero && report.criticalPath.isEmpty)
    #expect(report.description.hasSuffix("makespan 0ns, critical path: –"))
  }

  @Test func `operations that are added during the run are in the report`() throws {
    var graph = OperationGraph()
    let a = graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 10))
    let run = try graph.launch(isOpen: true, isRecording: true, runtime: stage.runtime)
    let later = try run.add {
      $0.addWithCompletion("later", of: String.self, after: a, perform: stage.work("later", 5))
    }
    run.close()
    stage.finish()
    let report = try #require(run.report)
    #expect(report[later].started == .ms(10) && report.criticalPath.map(\.name) == ["a", "later"])
  }

  @Test func `on the live clock the slack along the critical path is also zero`() async throws {
    var graph = OperationGraph()
    var before = graph.add("0") { LiveRuntime.shared.work(for: .ms(1)) }
    for number in 1..<5 {
      graph.add("beside \(number)", after: before) {}
      before = graph.add("\(number)", after: before) { LiveRuntime.shared.work(for: .ms(1)) }
    }
    let run = try graph.launch(isRecording: true)
    _ = try await run.value
    let report = try #require(run.report)
    #expect(report.makespan >= .ms(5))
    #expect(report.criticalPath.allSatisfy { report.entries[$0.index].slack == .zero })
    #expect(report.entries.allSatisfy { $0.slack.map { $0 >= .zero } == true })
    #expect(!report.criticalPath.isEmpty)
  }
}
