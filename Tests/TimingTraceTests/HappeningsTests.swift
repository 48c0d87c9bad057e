import Foundation
import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// What happened between the starts and ends of steps: timeouts, delays, cancellations and hand-overs.
@Suite struct HappeningsTests {
  /// `retry(3, delay: 15ms) { a: … }`, whose attempts take 5 ms each.
  static let retry = {
    var script = EventScript()
    script.submit("retry", "retry", at: 0)
    script.start("retry", at: 0)
    for attempt in 1...3 as ClosedRange<Int64> {
      let start = (attempt - 1) * 20
      let key = "a\(attempt)"
      if attempt > 1 {
        let before = "a\(attempt - 1)"
        script.resume("retry", byTimerSet: start - 15, because: (.end, before), at: start)
      }
      script.submit(key, "fail", in: "retry", label: "a", at: start)
      script.start(key, because: attempt > 1 ? (.timer, "retry") : nil, at: start)
      script.finish(key, attempt < 3 ? .failure : .success, error: "no", at: start + 5)
    }
    script.finish("retry", at: 45)
    return script
  }()

  /// `timeout(20ms) { slow: sleep 100ms }`.
  ///
  /// - Parameter end: when the step ends. If that is after its timeout, the step keeps running.
  static func timeout(end: Int64 = 20, _ outcome: TraceEvent.Outcome = .cancelled) -> EventScript {
    var script = EventScript("timeout", "timeout", steps: ["slow"])
    script.start("slow", at: 0)
    script.resume("timeout", byTimerSet: 0, at: 20)
    script.finish("timeout", .failure, because: (.timer, "timeout"), awaitsAll: false, at: 20)
    script.cancel("slow", by: "timeout", at: 20)
    let reason: EventScript.Reason? = outcome == .cancelled ? (.cancellation, "timeout") : nil
    script.finish("slow", outcome, because: reason, cancelled: 20, at: end)
    return script
  }

  private static func rows(of record: RunRecord, style: Timeline.Style = .unicode) -> [Substring] {
    Timeline(record).render(width: 60, style: style).split(separator: "\n").filter {
      !$0.hasPrefix("run")
    }
  }

  @Test func `attempts are numbered, and the delay between them is an interval on the path`() {
    let record = Self.retry.record()
    #expect(record.steps.map(\.attempt) == [1, 2, 3])
    #expect(record.criticalPath == ["a", "a", "a"])
    let delays = record.intervals.filter { $0.kind == .delay }
    #expect(delays.map(\.from) == [.ms(5), .ms(25)] && delays.map(\.to) == [.ms(20), .ms(40)])
    #expect(
      Timeline(record).render(width: 60) == """
        run · success · makespan 45ms · work 0ns · blocked 0ns
        concurrency 1 · threads 1
        critical path: a #1 → delay 15ms → a #2 → delay 15ms → a #3
               0        10ms     20ms     30ms     40ms
        * a #1│█████                                    │ 5ms failed
        * a #2│    ┄ delay 15ms ┄█████                  │ 5ms failed
        * a #3│                      ┄ delay 15ms ┄█████│ 5ms
        ┄ delay  █ run  * critical path

        """)
  }

  /// A queue around equal queues, as in `serial { x: serial { a: … }; y: serial { a: … } }`.
  @Test func `steps with the same label have the patterns on the path that tell them apart`() {
    var script = EventScript("serial", "serial", steps: ["x", "y"])
    for (pattern, start) in [("x", 0), ("y", 10)] as [(String, Int64)] {
      script.start(pattern, because: start > 0 ? (.end, "x") : nil, at: start)
      script.submit(pattern + "/list", "serial", in: pattern, label: "list", at: start)
      script.start(pattern + "/list", at: start)
      script.submit(pattern + "/a", in: pattern + "/list", label: "a", at: start)
      script.start(pattern + "/a", at: start)
      for part in ["/a", "/list", ""] { script.finish(pattern + part, at: start + 10) }
    }
    script.finish("serial", at: 20)
    let record = script.record()
    #expect(record.criticalPath == ["a", "a"])
    #expect(
      Timeline(record).render(width: 60).contains("\ncritical path: x/a → y/a\n"),
      "\(Timeline(record).render(width: 60))")
  }

  @Test func `steps with one start have no number`() {
    #expect(AnalysisTests.nested.record().steps.allSatisfy { $0.attempt == nil })
  }

  @Test func `a timeout has a mark at its time, and a cancelled bar its own look`() {
    let record = Self.timeout().record(outcome: .failure)
    #expect(record.steps[0].timedOut == .ms(20) && record.steps[0].cancelled == .ms(20))
    let rows = Self.rows(of: record)
    #expect(
      rows.contains { $0.hasPrefix("* slow│▚▚▚") && $0.hasSuffix("▚▚╳│ 20ms timed out") }, "\(rows)"
    )
    #expect(rows.last == "▚ cancelled  ╳ timed out  * critical path")
    let plain = Self.rows(of: record, style: .ascii)
    #expect(
      plain.contains { $0.hasPrefix("* slow|~~~") && $0.hasSuffix("~X| 20ms timed out") },
      "\(plain)")
  }

  @Test func `the loser of a race is cancelled, and did not time out`() {
    let script = EventScript("race: race early { quick: 0..5; slow: 0..5 cancelled by quick }")
    let record = script.record()
    #expect(record.steps[1].timedOut == nil && record.steps[1].cancelled == .ms(5))
    let rows = Self.rows(of: record)
    #expect(
      rows.contains { $0.hasPrefix("  slow │▚▚▚") && $0.hasSuffix("▚│ 5ms cancelled") }, "\(rows)")
    #expect(rows.contains { $0.hasPrefix("* quick│███") && $0.hasSuffix("█│ 5ms") }, "\(rows)")
  }

  @Test(arguments: [
    (TraceEvent.Outcome.cancelled, "40ms timed out, kept running"),
    (.failure, "40ms timed out, kept running"), (.success, "40ms, kept running"),
  ])
  func `a step that ignores its cancellation is visible`(
    _ outcome: TraceEvent.Outcome, note: String
  ) {
    let record = Self.timeout(end: 40, outcome).record(outcome: .failure)
    #expect(record.steps[0].keptRunning == .ms(20))
    #expect(Self.timeout().record(outcome: .failure).steps[0].keptRunning == nil)
    let rows = Self.rows(of: record)
    let row = rows.first { $0.contains("slow│") } ?? ""
    #expect(row.contains("╳❶▓▓▓"), "\(rows)")
    #expect(TimelineRows(record, height: 10).rows.map(\.note) == [note])
    #expect(rows.last?.contains("▓ keeps running") == true, "\(rows)")
  }

  @Test func `a cancelled step keeps its waits`() {
    var record = RunRecord(name: "run", pattern: "group", clock: .virtual, outcome: .success)
    record.makespan = .ms(60)
    func stretches(_ outcome: StepRecord.Outcome, cancelled: Int64) -> [String] {
      var step = StepRecord(
        label: "task", pattern: "task", submitted: 0, started: 0, finished: .ms(60),
        outcome: outcome)
      step.cancelled = .ms(cancelled)
      step.keptRunning = cancelled < 60 ? .ms(cancelled) : nil
      record.steps = [step]
      record.intervals = [(10, 20), (40, 50)].map { from, to in
        IntervalRecord(
          kind: .suspended, step: "task", position: 0, lane: "pool-1", from: .ms(from),
          to: .ms(to))
      }
      return TimelineRows(record, height: 10).rows[0].stretches.all
        .sorted { ($0.from, $0.to) < ($1.from, $1.to) }
        .map { "\($0.kind) \($0.from / .ms(1))-\($0.to / .ms(1))" }
    }
    #expect(
      stretches(.cancelled, cancelled: 60) == [
        "cancelled 0-10", "wait 10-20", "cancelled 20-40", "wait 40-50", "cancelled 50-60",
      ])
    #expect(
      stretches(.success, cancelled: 30) == [
        "run 0-10", "wait 10-20", "run 20-30", "keptRunning 30-40", "wait 40-50",
        "keptRunning 50-60",
      ])
  }

  @Test func `the reason of a hand-over stands where there is room`() {
    let script = EventScript("bounded: bounded { a: 0..20; b: 0..10; c: 20..22 permit a }")
    let record = script.record()
    func row(_ width: Int) -> Substring {
      Timeline(record).render(width: width).split(separator: "\n").first { $0.hasPrefix("* c") }
        ?? ""
    }
    #expect(row(60).contains("░ permit passed on by a →██"), "\(row(60))")
    #expect(row(36).contains("░ permit passed on →██"), "\(row(36))")
    #expect(row(24).contains("░→█"), "\(row(24))")
  }

  @Test func `a number stands at the place that a finding explains`() {
    let script = EventScript("root: group { a: 0..40; b: 10..40 blocked 20..40 by a }")
    let record = script.record()
    #expect(record.lints.map(\.rule) == ["blocked-thread"])
    let row =
      Timeline(record).render(width: 60).split(separator: "\n").first { $0.contains("b│") } ?? ""
    #expect(row.contains("█❶▒▒▒"), "\(row)")
    let svg = TraceFormat.svg.text(of: [ExportSamples.run("blocked", script)])
    #expect(svg.contains("finding 1"))
  }

  @Test func `a delay after the last part is the end of the path`() {
    var script = EventScript("delay", "delay", steps: ["x"])
    script.start("x", at: 0)
    script.finish("x", at: 5)
    script.resume("delay", byTimerSet: 5, because: (.end, "x"), at: 15)
    script.finish("delay", because: (.timer, "delay"), at: 15)
    let rows = Self.rows(of: script.record())
    #expect(rows.contains("critical path: x → delay 10ms"), "\(rows)")
    #expect(rows.contains { $0.hasPrefix("* delay│") && $0.contains("┄ delay 10ms ┄") }, "\(rows)")
  }

  /// `delay(10ms) { delay(5ms) { x: sleep 5ms } }`
  @Test func `delays of nested patterns with one name are those of their own steps`() {
    var script = EventScript()
    script.submit("outer", "delay", label: "delay", at: 0)
    script.start("outer", at: 0)
    script.submit("inner", "delay", in: "outer", label: "delay", at: 0)
    script.start("inner", at: 0)
    script.submit("x", in: "inner", at: 0)
    script.start("x", at: 0)
    script.finish("x", at: 5)
    script.resume("inner", byTimerSet: 5, because: (.end, "x"), at: 10)
    script.finish("inner", because: (.timer, "inner"), at: 10)
    script.resume("outer", byTimerSet: 10, because: (.end, "inner"), at: 20)
    script.finish("outer", because: (.timer, "outer"), at: 20)
    let record = script.record()
    #expect(record.intervals.map(\.position) == [0, nil])
    let lines = Self.rows(of: record)
    #expect(lines.contains("critical path: x → delay 5ms → delay 10ms"), "\(lines)")
    let rows = TimelineRows(record, height: 10).rows
    #expect(rows.map(\.label) == ["delay", "delay", "x"])
    let delays = rows.map { row in
      row.stretches.all.filter { $0.kind == .delay }.map { "\($0.from / .ms(1))-\($0.to / .ms(1))" }
    }
    #expect(delays == [["10-20"], ["5-10"], []])
    let analysis = Analysis(of: record, events: script.events)
    #expect(analysis.slack.allSatisfy { $0 == 0 })
    // An opened pattern keeps its own delays.
    #expect(record.opened(at: "x").map { CriticalChain($0).names } == [["x"]])
    #expect(
      record.opened(at: "delay").map { CriticalChain($0).names } == [
        ["x", "delay 5ms"]
      ])
  }

  /// `retry(…, delay: 1ms) { x: … }`, whose attempts take 1 ms each and have one path.
  private static func attempts(_ attempts: Int64) -> EventScript {
    var script = EventScript("retry", "retry", steps: [])
    for attempt in 0..<attempts {
      let (key, start) = ("x\(attempt)", 2 * attempt)
      if attempt > 0 {
        script.resume(
          "retry", byTimerSet: start - 1, because: (.end, "x\(attempt - 1)"), at: start)
      }
      script.submit(key, in: "retry", label: "x", at: start)
      script.start(key, because: attempt > 0 ? (.timer, "retry") : nil, at: start)
      script.finish(key, .failure, at: start + 1)
    }
    return script
  }

  /// The processor time of the calling thread, which other programs do not lengthen.
  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  @Test func `many delays of one path take no longer than few`() {
    let attempts: Int64 = 8000
    let record = Self.attempts(attempts).record()
    let start = Self.processorTime
    let rows = TimelineRows(record, height: 10).rows
    // Not a measurement: a search of all delays for each attempt takes several seconds.
    #expect(Self.processorTime - start < .seconds(1))
    #expect(rows.flatMap(\.stretches.all).count { $0.kind == .delay } == Int(attempts) - 1)
  }

  /// `promise { wait; parse }`, whose chain waits for a timer and then fails.
  @Test func `a failure after a timer is not a timeout`() {
    func rows(hasTimedOut: Bool) -> [Substring] {
      var script = EventScript("all", "all", steps: ["chain"])
      script.start("chain", at: 0)
      script.submit("x", in: "chain", at: 0)
      script.start("x", at: 0)
      script.finish("x", at: 10)
      script.resume("chain", byTimerSet: 10, because: (.end, "x"), at: 30)
      script.finish(
        "chain", .failure, because: (.timer, "chain"), error: "not JSON", hasTimedOut: hasTimedOut,
        at: 30)
      script.finish("all", .failure, at: 30)
      return Self.rows(of: script.record(outcome: .failure))
    }
    let plain = rows(hasTimedOut: false)
    #expect(plain.contains { $0.hasSuffix("│ 30ms failed") }, "\(plain)")
    #expect(plain.contains { $0.contains("┄ delay 20ms ┄") }, "\(plain)")
    #expect(!plain.contains { $0.contains("╳") }, "\(plain)")
    let late = rows(hasTimedOut: true)
    #expect(late.contains { $0.contains("╳│ 30ms timed out") }, "\(late)")
  }

  @Test func `a picture shows all of many delays`() {
    let run = ExportSamples.run("retry", Self.attempts(300))
    var (delayed, failed) = (0.0, 0.0)
    for mark in TimelinePicture(of: [run]).marks {
      switch mark {
      case .line(let line) where line.dash != nil:
        delayed = max(delayed, line.points.map(\.x).max() ?? 0)
      case .rectangle(let bar) where bar.ink == .failure && bar.hint != nil:
        failed = max(failed, bar.x + bar.width)
      default: break
      }
    }
    #expect(delayed > failed - 10 && failed > 0, "the last delay ends before the last attempt")
  }

  @Test func `a finding has the time at which it happened`() {
    var script = EventScript("serial", "serial", steps: ["p"])
    script.start("p", at: 10)
    script.submit("x", in: "p", at: 10)
    script.start("x", at: 10)
    script.block("x", at: 15)
    script.unblock("x", at: 18)
    script.finish("x", at: 20)
    script.finish("p", at: 20)
    script.finish("serial", at: 20)
    let record = script.record()
    #expect(record.lints.map(\.rule) == ["blocked-thread"])
    #expect(record.lints.map(\.times) == [[.ms(15)]])
    let marks = TimelineRows(record, height: 10, findings: 9).rows.map(\.marks)
    #expect(marks == [[], [.init(kind: .finding(1), time: .ms(15))]])
    // The times of an opened pattern count from its submission.
    #expect(record.opened(at: "p").map { $0.lints.map(\.times) } == [[[.ms(15)]]])
    #expect(record.opened(at: "x").map { $0.lints.map(\.times) } == [[[.ms(5)]]])
  }

  @Test func `the SVG shows the same`() {
    let texts = { (script: EventScript) in
      TraceFormat.svg.text(of: [ExportSamples.run("run", script)])
    }
    let retry = texts(Self.retry)
    for text in [
      "a #2", "delay 15ms", "stroke-dasharray", "delayed by a timer",
      "a #1 5ms (11\u{A0}%) → delay 15ms",
    ] {
      #expect(retry.contains(text), "\(text)")
    }
    let late = texts(Self.timeout(end: 40))
    for text in [
      "timed out", "keeps running after it was cancelled", "40ms timed out, kept running",
    ] {
      #expect(late.contains(text), "\(text)")
    }
    #expect(texts(Self.timeout()).contains("f-ground s-critical"))
  }

  @Test(arguments: [
    ("🚀", 2), ("👨‍👩‍👧", 2), ("👍🏽", 2), ("🇩🇪", 2), ("1️⃣", 2), ("☺️", 2), ("☺", 1), ("🌡", 1), ("é", 1),
    ("e\u{301}", 1),
    ("日本", 4), ("❶", 1), ("→", 1),
  ])
  func `emoji and joined characters have their width`(text: String, width: Int) {
    #expect(TerminalText.width(text) == width)
    #expect(TerminalText.printable(text, style: .unicode) == text)
  }

  @Test func `a joiner that joins no emoji is not printed`() {
    #expect(TerminalText.printable("a\u{200D}b", style: .unicode) == "a?b")
  }
}
