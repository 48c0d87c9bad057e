import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// Steps that were to continue when their timer fired, but whose lane was held.
@Suite struct LaneEndTests {
  /// `group { a: sleep 10ms; b: work 30ms }` on one worker.
  static let late = {
    var script = EventScript("group", "group", steps: ["a", "b"])
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.work("b", for: 30, at: 30)
    script.finish("b", at: 30)
    script.resume("a", behind: "b", since: 10, timerSet: 0, at: 30)
    script.finish("a", because: (.timer, "a"), at: 30)
    script.finish("group", at: 30)
    return script
  }()

  /// `serial { t: timeout(30ms, value: 1) { s1: sleep 20ms; s2: sleep 40ms }; u: sleep 5ms }`.
  static let timed = {
    var script = EventScript("serial", "serial", steps: ["t", "u"])
    script.start("t", at: 0)
    script.submit("s1", in: "t", at: 0)
    script.submit("s2", in: "t", at: 0)
    script.start("s1", at: 0)
    script.finish("s1", at: 20)
    script.start("s2", after: "s1", at: 20)
    script.resume("t", byTimerSet: 0, at: 30)
    script.finish("s2", .cancelled, because: (.cancellation, "t"), cancelled: 30, at: 30)
    script.finish("t", because: (.timer, "t"), awaitsAll: false, at: 30)
    script.start("u", after: "t", at: 30)
    script.finish("u", at: 35)
    script.finish("serial", at: 35)
    return script
  }()

  private let analysis = Analysis(of: Self.late.record(), events: Self.late.events)

  @Test func `the holder of the lane comes before the step`() throws {
    let record = Self.late.record()
    #expect(record.criticalPath == ["b", "a"])
    #expect(record.steps.map(\.late) == [.ms(20), 0])
    #expect(
      record.intervals == [
        .init(
          kind: .queued, step: "a", position: 0, lane: "pool-1", from: .ms(10), to: .ms(30))
      ])
    #expect(analysis.criticalPath.map(\.time) == [.ms(30), 0])
    let handOver = try #require(analysis.criticalPath[1].handOver)
    #expect(handOver == .init(kind: .queue, from: "b", to: "a", before: .end, delay: 0))
    #expect(analysis.queueWait == .ms(20))
  }

  @Test func `the account of a late end names the step that held the lane`() throws {
    let account = try #require(
      StepAccount.accounts(of: "a", in: Self.late.record(), events: Self.late.events).first)
    #expect(
      account.queues == [.init(lane: "pool-1", from: .ms(10), to: .ms(30), ender: "b")])
    #expect(account.slack == 0)
    let other = try #require(
      StepAccount.accounts(of: "b", in: Self.late.record(), events: Self.late.events).first)
    #expect(other.slack == 0)
  }

  /// c follows a. The end of a waited for b's worker, and d ends the run.
  @Test func `slack follows the waits for a lane`() {
    var script = EventScript("group", "group", steps: ["a", "b", "c", "d"])
    for step in ["a", "b", "d"] { script.start(step, at: 0) }
    script.work("b", for: 30, at: 30)
    script.finish("b", at: 30)
    script.resume("a", behind: "b", since: 10, timerSet: 0, at: 30)
    script.finish("a", because: (.timer, "a"), at: 30)
    script.start("c", after: "a", at: 30)
    script.finish("c", at: 35)
    script.finish("d", at: 40)
    script.finish("group", at: 40)
    let analysis = Analysis(of: script.record(), events: script.events)
    #expect(analysis.slack == [.ms(5), .ms(5), .ms(5), 0])
  }

  /// a did not end as soon as it got the lane. One frame of its animation was late, but not its end.
  @Test func `time after the lane was free is the own time of the step`() {
    var script = EventScript("group", "group", steps: ["a", "b", "c"])
    for step in ["a", "b"] { script.start(step, at: 0) }
    script.work("b", for: 30, at: 30)
    script.finish("b", at: 30)
    script.resume("a", behind: "b", since: 10, timerSet: 0, at: 30)
    script.start("c", because: (.parent, "group"), ready: 0, behind: "b", at: 30)
    script.work("c", for: 5, at: 35)
    script.finish("c", at: 35)
    script.resume("a", byTimerSet: 0, at: 50)
    script.finish("a", because: (.timer, "a"), at: 50)
    script.finish("group", at: 50)
    let record = script.record()
    #expect(record.criticalPath == ["a"])
    #expect(record.steps[0].late == 0)
    #expect(record.intervals.map(\.kind) == [.queued])
  }

  /// a got the lane late and then worked: it resumed late, but did not end late.
  @Test(arguments: [ClockKind.virtual, .live])
  func `work after a late lane is not lateness`(clock: ClockKind) {
    var script = EventScript("group", "group", steps: ["a", "b"])
    for step in ["a", "b"] { script.start(step, at: 0) }
    script.work("b", for: 30, at: 30)
    script.finish("b", at: 30)
    script.resume("a", behind: "b", since: 10, timerSet: 0, at: 30)
    script.work("a", for: 20, at: 50)
    script.finish("a", at: 50)
    script.finish("group", at: 50)
    let record = RunRecord(events: script.events, clock: clock, outcome: .success)
    #expect(record.steps[0].late == 0)
    #expect(record.intervals.map(\.kind) == [.queued])
  }

  @Test func `the end of a pattern waits for a lane`() {
    var script = EventScript("serial", "serial", steps: ["p", "c"])
    script.start("p", at: 0)
    script.submit("a", in: "p", at: 0)
    script.submit("b", in: "serial", at: 0)
    script.lane = Lane(number: 8)
    script.start("a", at: 0)
    script.lane = Lane(number: 7)
    script.start("b", at: 0)
    script.lane = Lane(number: 8)
    script.finish("a", at: 10)
    script.lane = Lane(number: 7)
    script.work("b", for: 30, at: 30)
    script.finish("b", at: 30)
    script.resume("p", behind: "b", since: 10, because: (.end, "a"), at: 30)
    script.finish("p", because: (.itself, "p"), at: 30)
    script.lane = Lane(number: 8)
    script.start("c", after: "p", at: 30)
    script.finish("c", at: 35)
    script.finish("serial", at: 35)
    let analysis = Analysis(of: script.record(), events: script.events)
    #expect(analysis.criticalPath.map(\.path) == ["b", "c"])
    // In order: p, its part, c, b.
    #expect(analysis.slack == [0, .ms(20), 0, 0])
  }

  @Test func `a pattern can end by its own timer`() throws {
    let script = Self.timed
    let record = script.record()
    #expect(record.criticalPath == ["t", "u"])
    #expect(record.steps.filter(\.isCritical).map(\.path) == ["t", "u"])
    let analysis = Analysis(of: record, events: script.events)
    #expect(analysis.criticalPath.map(\.time) == [.ms(30), .ms(5)])
    // s1 could have run until the timer fired and longer: when s1 ends, the run has 15 ms left.
    #expect(analysis.slack == [0, .ms(15), nil, 0])
    let accounts = StepAccount.accounts(of: "t", in: record, events: script.events)
    #expect(accounts.map(\.isEndedByTimer) == [true])
  }

  /// The times are at the limits of a file, and their difference exceeds the range of an integer.
  @Test func `ends can be any time apart`() {
    let times: [Int64] = [-9_000_000_000_000_000_000, 9_000_000_000_000_000_000]
    let (root, x, y) = (Span(id: 1), Span(id: 2), Span(id: 3))
    let (first, last) = (Instant(nanoseconds: times[0]), Instant(nanoseconds: times[1]))
    let events: [TraceEvent] = [
      .submitted(root, in: .none, label: "r", kind: "group", at: first), .started(root, at: first),
      .submitted(x, in: root, label: "x", kind: "sleep", at: first),
      .submitted(y, in: root, label: "y", kind: "sleep", at: first), .started(x, at: first),
      .started(y, at: first), .finished(x, .cancelled, at: first), .finished(y, .success, at: last),
      .finished(root, .success, because: Cause(.end, y), awaitsAll: true, at: last),
    ]
    let record = RunRecord(events: events, clock: .virtual, outcome: .success)
    #expect(record.criticalPath == ["y"])
  }

  /// Two steps end at the same time. The one that held the lane is the cause of the start of the next one.
  @Test func `the step that held the lane is the cause of the next start`() {
    var script = EventScript("group", "group", steps: ["r", "c"])
    script.start("r", at: 0)
    script.submit("a", in: "r", at: 0)
    script.submit("b", in: "r", at: 0)
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.work("a", for: 30, at: 30)
    script.finish("a", at: 30)
    script.finish("b", .cancelled, because: (.cancellation, "a"), cancelled: 30, at: 30)
    script.finish("r", awaitsAll: false, at: 30)
    script.start("c", because: (.parent, "group"), ready: 0, behind: "a", at: 30)
    script.work("c", for: 5, at: 35)
    script.finish("c", at: 35)
    script.finish("group", at: 35)
    #expect(script.record().criticalPath == ["a", "c"])
  }

  /// The step was cancelled, but it held the main lane and could not be interrupted.
  @Test func `a step that could not be stopped ends the run`() {
    var script = EventScript("race", "race", steps: ["a", "b"])
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.finish("a", at: 10)
    script.finish("race", awaitsAll: false, at: 10)
    script.work("b", for: 40, at: 40)
    script.finish("b", .cancelled, at: 40)
    #expect(script.record().criticalPath == ["b"])
  }

  /// r waited for a lane before its step started, as a retry does after its pause.
  @Test func `a pattern waits for a lane before it starts a step`() {
    var script = EventScript("group", "group", steps: ["r", "b"])
    script.start("r", at: 0)
    script.submit("first", in: "r", at: 0)
    script.start("first", at: 0)
    script.finish("first", .failure, at: 0)
    script.start("b", at: 0)
    script.work("b", for: 50, at: 50)
    script.finish("b", at: 50)
    script.resume("r", behind: "b", since: 7, timerSet: 0, because: (.end, "first"), at: 50)
    script.submit("next", in: "r", at: 50)
    script.await("next", (.end, "first"), at: 50)
    script.start("next", because: (.timer, "r"), at: 50)
    script.finish("next", at: 60)
    script.finish("r", at: 60)
    script.finish("group", at: 60)
    let analysis = Analysis(of: script.record(), events: script.events)
    #expect(analysis.criticalPath.map(\.path) == ["b", "r/next"])
    #expect(analysis.slack[3] == 0)
  }

  /// A run in which a starts on one lane and ends on another, while other steps hold both lanes.
  static let moved = {
    var script = EventScript("group", "group", steps: ["a", "b", "c"])
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.lane = Lane(number: 8)
    script.start("c", at: 0)
    script.work("c", for: 25, at: 25)
    script.finish("c", at: 25)
    script.resume("a", behind: "c", since: 10, timerSet: 0, at: 25)
    script.finish("a", because: (.timer, "a"), at: 25)
    script.lane = Lane(number: 7)
    script.work("b", for: 30, at: 30)
    script.finish("b", at: 30)
    script.finish("group", at: 30)
    return script
  }()

  @Test func `slack follows the lane on which the step ends`() {
    let analysis = Analysis(of: Self.moved.record(), events: Self.moved.events)
    #expect(analysis.slack == [.ms(5), 0, .ms(5)])
  }

  /// Ten thousand waits of one step take no more time than as many steps.
  @Test func `many waits are drawn and listed`() {
    var script = EventScript("group", "group", steps: ["a"])
    script.start("a", at: 0)
    for time in 1...10_000 {
      script.resume("a", behind: "group", since: Int64(2 * time - 1), at: Int64(2 * time))
    }
    script.finish("a", at: 20_001)
    script.finish("group", at: 20_001)
    let record = script.record()
    #expect(Timeline(record).render(width: 80, height: 10).contains("20.001s"))
    let accounts = StepAccount.accounts(of: "a", in: record, events: script.events)
    #expect(accounts.map(\.queues.count) == [10_000])
  }

  @Test func `the timeline shows the wait`() {
    let text = Timeline(Self.late.record()).render(width: 60, height: 10)
    let row = text.split(separator: "\n").first { $0.contains("a│") } ?? ""
    let bar = row.split(separator: "│").dropFirst().first ?? ""
    let words = " next in the queue after b →"
    #expect(row.contains("█░") && row.contains(words + "░│"), "\(text)")
    // The last two thirds of the bar show the wait: signs, and the text among them.
    let wait = bar.drop { $0 == "█" }
    #expect(wait.replacing(words, with: "").allSatisfy { $0 == "░" }, "\(text)")
    #expect(abs(3 * wait.count - 2 * bar.count) <= 3, "\(text)")
  }

  @Test func `a file preserves the wait`() throws {
    let run = ExportSamples.run("late", Self.late)
    let back = try SavedRuns(bytes: SavedRuns(runs: [run]).bytes)
    #expect(back.runs.first?.record == run.record)
    #expect(back.runs.first?.events.map(\.number) == run.events.map(\.number))
  }
}
