import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// Steps that a timer of their pattern cancelled and that kept running.
@Suite struct TimedOutTests {
  /// `serial(timeout: 10ms, on-failure: continue) { a: …; b: sleep 20ms }`, where a ends at 25 ms.
  private static func script(_ outcome: TraceEvent.Outcome) -> EventScript {
    var script = EventScript("serial", "serial", steps: ["a", "b"])
    script.start("a", at: 0)
    script.resume("serial", byTimerSet: 0, at: 10)
    script.cancel("a", by: "serial", at: 10)
    script.start("b", after: "a", at: 10)
    // With any other outcome, the cancellation is not the cause of its end.
    let reason: EventScript.Reason? = outcome == .cancelled ? (.cancellation, "serial") : nil
    script.finish("a", outcome, because: reason, cancelled: 10, at: 25)
    script.finish("b", at: 30)
    script.finish("serial", at: 30)
    return script
  }

  /// The result of the step is discarded, even if the step does not know that it was cancelled.
  @Test(arguments: [TraceEvent.Outcome.cancelled, .failure, .success])
  func `the wait for a step ends at its timeout`(outcome: TraceEvent.Outcome) throws {
    let script = Self.script(outcome)
    let record = script.record()
    #expect(record.criticalPath == ["a", "b"])
    let analysis = Analysis(of: record, events: script.events)
    #expect(analysis.criticalPath.map(\.time) == [.ms(10), .ms(20)])
    #expect(record.lints.map(\.rule) == ["late-cancel"])
    #expect(record.lints.first?.message.contains("it timed out, and kept running for 15ms") == true)
    let account = try #require(
      StepAccount.accounts(of: "a", in: record, events: script.events).first)
    #expect(account.keptRunningAfterTimeout == (outcome == .cancelled ? nil : .ms(10)))
    #expect(account.isEndedByTimer == (outcome == .cancelled))
    // The same keys have the same values as in the record of the run.
    for json in [account.json, record.json] {
      #expect(json.contains("\"timed_out_ns\":10000000"), "\(json)")
      #expect(json.contains("\"cancelled_ns\":10000000"), "\(json)")
    }
    let kept = outcome == .cancelled ? "null" : "10000000"
    #expect(account.json.contains("\"kept_running_after_timeout_ns\":\(kept)"), "\(account.json)")
  }

  /// `serial(timeout: 10ms, on-failure: continue) { a: …; b: …; c: sleep 5ms }`, where a and b time out.
  @Test func `each step waited for the step before it that timed out`() {
    var script = EventScript("serial", "serial", steps: ["a", "b", "c"])
    func timeOut(_ key: String, after previous: String?, at time: Int64) {
      let reason: EventScript.Reason? = previous.map { (.end, $0) }
      script.resume("serial", byTimerSet: time - 10, because: reason, at: time)
      script.cancel(key, by: "serial", at: time)
      script.finish(key, .cancelled, because: (.cancellation, "serial"), cancelled: time, at: time)
    }
    script.start("a", at: 0)
    timeOut("a", after: nil, at: 10)
    script.start("b", after: "a", at: 10)
    timeOut("b", after: "a", at: 20)
    script.start("c", after: "b", at: 20)
    script.finish("c", at: 25)
    script.finish("serial", at: 25)
    let record = script.record()
    let path = Analysis(of: record, events: script.events).criticalPath
    #expect(path.map(\.path) == ["a", "b", "c"])
    #expect(path.map(\.time) == [.ms(10), .ms(10), .ms(5)])
    #expect(path.map(\.handOver?.from) == [nil, "a", "b"])
  }

  /// A step may record such a mark itself.
  @Test func `a mark alone is not a timeout`() throws {
    var script = EventScript("group", "group", steps: ["a", "b"])
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.mark("timed-out", "after 5 ms, by a timer", of: "a", at: 10)
    script.finish("b", at: 20)
    script.finish("a", at: 30)
    script.finish("group", at: 30)
    let record = script.record()
    let account = try #require(
      StepAccount.accounts(of: "a", in: record, events: script.events).first)
    #expect(account.keptRunningAfterTimeout == nil)
    #expect(record.criticalPath == ["a"])
    #expect(record.lints.isEmpty)
  }
}
