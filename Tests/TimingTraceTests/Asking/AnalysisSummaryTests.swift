import AsyncPatterns
import Testing
import TimingTrace

@testable import TraceAnalysis

/// The summary of where the time of a run went.
@Suite struct AnalysisSummaryTests {
  @Test func `a sequence is its own critical path, and waits for dependencies`() {
    let script = AnalysisTests.serial
    let analysis = Analysis(of: script.record(), events: script.events)
    #expect(analysis.makespan == .ms(30))
    #expect(analysis.dependencyWait == .ms(10))
    #expect(analysis.queueWait == 0)
    #expect(analysis.idle == 0)
    #expect(analysis.meanConcurrency == 1)
    #expect(
      analysis.criticalPath == [
        CriticalStep(step: 0, path: "a", from: 0, time: .ms(10)),
        CriticalStep(
          step: 1, path: "b", from: .ms(10), time: .ms(20),
          handOver: HandOver(kind: .dependency, from: "a", to: "b", delay: 0)),
      ])
    #expect(analysis.slack == [0, 0])
    #expect(analysis.ready == [0, .ms(10)])
  }

  @Test func `the time before the first step is reported`() {
    let script = EventScript("q: serial 0..11 { a: 3..10 }")
    let analysis = Analysis(of: script.record(), events: script.events)
    #expect(analysis.lead == .ms(3))
    let steps = analysis.criticalPath.reduce(0) { $0 + $1.time }
    #expect(analysis.lead + steps + analysis.tail == analysis.makespan)
    #expect(analysis.json([]).contains(#""lead_ns":3000000,"tail_ns":1000000"#))
  }

  /// Five milliseconds pass before `b` is submitted, either by a timer of the pattern or in its code.
  @Test(arguments: [true, false], [ClockKind.live, .virtual])
  func `only a recorded timer counts as a wait`(isTimed: Bool, clock: ClockKind) {
    var script = EventScript("q", "serial", steps: ["a"])
    script.start("a", at: 0)
    script.finish("a", at: 20)
    if isTimed { script.resume("q", byTimerSet: 20, because: (.end, "a"), at: 25) }
    script.submit("b", in: "q", at: 25)
    script.start("b", because: isTimed ? nil : (.end, "a"), at: 25)
    script.finish("b", at: 30)
    script.finish("q", at: 30)
    let record = RunRecord(events: script.events, clock: clock, outcome: .success)
    let pause = Analysis(of: record, events: script.events).criticalPath.last?.handOver?.pause
    #expect(pause == (isTimed ? .timer : .dispatch))
  }

  /// A lane was busy while `b` waited. That is either a dispatch gap or a lack of free workers, never both.
  @Test(arguments: [1, 2])
  func `a wait and a dispatch gap report the same time`(workers: Int) {
    var script = EventScript("q", "serial.semaphore", steps: ["a", "b"])
    script.lane = Lane(number: 8)
    script.start("a", at: 0)
    script.finish("a", at: 20)
    script.block("q", at: 20)
    script.unblock("q", by: "a", at: 25)
    script.start("b", because: (.wakeUp, "a"), at: 25)
    script.finish("b", at: 30)
    script.finish("q", at: 30)
    var record = script.record()
    record.clock = .live
    let analysis = Analysis(of: record, events: script.events, workers: workers)
    let pause = analysis.criticalPath.last?.handOver?.pause
    #expect(pause == (workers == 1 ? .worker : .dispatch))
    #expect(analysis.dispatchGaps.total == (workers == 1 ? 0 : .ms(5)))
  }

  @Test func `a waiting pattern is named beside its step`() {
    let script = AnalysisTests.nested
    let analysis = Analysis(of: script.record(), events: script.events)
    #expect(analysis.criticalPath.map(\.path) == ["a", "c/job/fetch", "c/job/store"])
    #expect(
      analysis.criticalPath[1].handOver == HandOver(kind: .dependency, from: "a", to: "c", delay: 0)
    )
    #expect(analysis.slack == [0, .ms(20), 0, 0, 0])
    #expect(analysis.maxConcurrency == 2)
    #expect(
      analysis.concurrency == [
        ConcurrencyPoint(time: 0, count: 2), ConcurrencyPoint(time: .ms(20), count: 1),
        ConcurrencyPoint(time: .ms(40), count: 0),
      ])
    #expect(analysis.meanConcurrency == 1.5)
  }

  /// `serial.semaphore { a; b }`
  @Test func `a hand-over names the step that ended the wait`() {
    var script = EventScript("q", "serial.semaphore", steps: ["a", "b"])
    script.lane = Lane(number: 8)
    script.start("a", at: 0)
    script.block("q", at: 0)
    script.finish("a", at: 20)
    script.unblock("q", by: "a", at: 20)
    script.start("b", because: (.wakeUp, "a"), at: 22)
    script.finish("b", at: 30)
    script.finish("q", at: 30)
    let analysis = Analysis(of: script.record(), events: script.events)
    let handOver = analysis.criticalPath.last?.handOver
    #expect(handOver?.from == "a")
    #expect(handOver?.kind == .woke)
    #expect(handOver?.to == "b")
    #expect(handOver?.delay == .ms(2))
    #expect(analysis.queueWait == .ms(22))
    #expect(analysis.blocked == .ms(20))
    #expect(analysis.dispatchGaps == Analysis.Gaps(count: 1, total: .ms(2), longest: .ms(2)))
    #expect(analysis.idle == .ms(2))
    #expect(analysis.slack == [0, 0])
    let parts = analysis.criticalPath.reduce(0) { $0 + $1.time + ($1.handOver?.delay ?? 0) }
    #expect(parts + analysis.tail == analysis.makespan)
  }

  @Test func `a wait while all workers are busy is not a dispatch gap`() {
    let script = EventScript("q: serial.semaphore 0..15 blocked 0..10 { a: 10..15 }")
    func gaps(_ workers: Int?) -> Int64 {
      Analysis(of: script.record(), events: script.events, workers: workers).dispatchGaps.total
    }
    #expect(gaps(1) == 0)
    #expect(gaps(2) == .ms(10))
    #expect(gaps(nil) == .ms(10))
  }

  @Test func `lanes are distinguished by their use`() {
    var script = EventScript()
    script.lane = .main
    script.submit("g", "group", at: 0)
    script.start("g", at: 0)
    for key in ["a", "b"] { script.submit(key, "work", in: "g", at: 0) }
    script.lane = Lane(number: 3)
    script.start("a", at: 0)
    script.lane = Lane(number: 5)
    script.start("b", at: 0)
    script.block("b", at: 0)
    script.unblock("b", at: 4)
    script.finish("b", at: 4)
    script.lane = Lane(number: 3)
    script.work("a", for: 10, at: 10)
    script.finish("a", at: 10)
    script.finish("g", at: 10)
    let analysis = Analysis(of: script.record(), events: script.events)
    #expect(
      analysis.lanes == [
        LaneUse(lane: "main", work: 0, blocked: 0, idle: .ms(10)),
        LaneUse(lane: "pool-1", work: .ms(10), blocked: 0, idle: 0),
        LaneUse(lane: "pool-2", work: 0, blocked: .ms(4), idle: .ms(6)),
      ])
  }

  @Test func `an unfinished run has no slack`() {
    let script = EventScript("q: serial 0.. { a: 0..5 }")
    let record = script.record(outcome: .unfinished, end: 20)
    let analysis = Analysis(of: record, events: script.events)
    #expect(analysis.slack == [nil])
    #expect(analysis.makespan == .ms(20))
    #expect(analysis.tail == .ms(15))
  }

  @Test func `a record without events or with inconsistent events is analysed too`() {
    let empty = RunRecord(events: [], clock: .virtual, outcome: .success)
    #expect(Analysis(of: empty, events: []).criticalPath.isEmpty)
    // The analysis ignores a record that does not match its events.
    let script = AnalysisTests.nested
    #expect(Analysis(of: empty, events: script.events).criticalPath.count == 3)
    let backwards = Array(script.events.reversed())
    let record = RunRecord(events: backwards, clock: .live, outcome: .success)
    #expect(Analysis(of: record, events: backwards).ready.count == record.steps.count)
  }
}
