import Testing
import TimingTrace

@Suite struct AnalysisTests {
  /// `serial { a: sleep 10ms; b: sleep 20ms }`
  static let serial = {
    var script = EventScript()
    script.submit("serial", "serial", at: 5)
    script.start("serial", at: 5)
    script.submit("a", in: "serial", at: 5)
    script.submit("b", in: "serial", at: 5)
    script.start("a", at: 5)
    script.finish("a", at: 15)
    script.edge(.dependency, "a", "b", at: 15)
    script.start("b", at: 15)
    script.finish("b", at: 35)
    script.finish("serial", at: 35)
    return script
  }()

  @Test func serialStepsOneAfterAnother() {
    let record = Self.serial.record()
    #expect(record.name == "run")
    #expect(record.pattern == "serial")
    #expect(record.makespan == .ms(30))
    #expect(record.maxConcurrency == 1)
    #expect(record.threads == 1)
    #expect(record.criticalPath == ["a", "b"])
    #expect(record.edges == [EdgeRecord(from: "a", to: "b", kind: .dependency)])
    #expect(record.lints.isEmpty)
    #expect(record.steps.map(\.path) == ["a", "b"])
    let b = record.steps[1]
    #expect(b.submitted == 0)
    #expect(b.started == .ms(10))
    #expect(b.finished == .ms(30))
    #expect(b.lane == "pool-1")
    #expect(b.outcome == .success)
    #expect(b.parent == nil)
  }

  @Test func sideBySideOverlapsAndTheLongestIsCritical() {
    var script = EventScript()
    script.submit("group", "group", at: 0)
    script.start("group", at: 0)
    for key in ["a", "b", "c"] { script.submit(key, in: "group", at: 0) }
    for key in ["a", "b", "c"] { script.start(key, at: 0) }
    script.finish("a", at: 10)
    script.finish("c", at: 20)
    script.finish("b", at: 30)
    script.finish("group", at: 30)
    let record = script.record()
    #expect(record.maxConcurrency == 3)
    #expect(record.criticalPath == ["b"])
    #expect(record.finishedInOrder(["a", "c", "b"]))
    #expect(!record.finishedInOrder(["a", "b", "c"]))
  }

  /// `graph { a: sleep 10ms; b: sleep 20ms; c: serial job after a }`, job a list of two.
  static let nested = {
    var script = EventScript()
    script.submit("root", "graph", at: 0)
    script.start("root", at: 0)
    script.submit("a", in: "root", at: 0)
    script.submit("b", in: "root", at: 0)
    script.submit("c", "serial", in: "root", at: 0)
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.finish("a", at: 10)
    script.edge(.dependency, "a", "c", at: 10)
    script.start("c", at: 10)
    script.submit("fetch", in: "c", group: "job", at: 10)
    script.submit("store", in: "c", group: "job", at: 10)
    script.start("fetch", at: 10)
    script.finish("b", at: 20)
    script.finish("fetch", at: 25)
    script.edge(.dependency, "fetch", "store", at: 25)
    script.start("store", at: 25)
    script.finish("store", at: 40)
    script.finish("c", at: 40)
    script.finish("root", at: 40)
    return script
  }()

  @Test func nestedStepsHavePathsAndTheCriticalPathEntersPatterns() {
    let record = Self.nested.record()
    #expect(record.steps.map(\.path) == ["a", "b", "c", "c/job/fetch", "c/job/store"])
    #expect(record.steps.map(\.parent) == [nil, nil, nil, 2, 2])
    #expect(record.steps.map(\.isLeaf) == [true, true, false, true, true])
    #expect(record.criticalPath == ["a", "fetch", "store"])
    #expect(record.steps.filter(\.isCritical).map(\.label) == ["a", "fetch", "store"])
    // What ends at an instant makes room for what starts at it.
    #expect(record.maxConcurrency == 2)
  }

  @Test(arguments: [
    ("fetch", true), ("job/fetch", true), ("c/fetch", true), ("c/job/fetch", true),
    ("store", false), ("fetch/job", false), ("job", false), ("x/fetch", false), ("etch", false),
    ("", false), ("/", false), ("c/job/fetch/", false), ("a/c/job/fetch", false),
  ])
  func aLabelOrAPathMeansAStep(path: String, isMeant: Bool) throws {
    let step = try #require(Self.nested.record().steps.first { $0.label == "fetch" })
    #expect(step.matches(path: path) == isMeant)
  }

  @Test func withoutEdgesTheLastToFinishWhileAStepWaitedCounts() {
    var script = EventScript()
    script.submit("root", "bounded", at: 0)
    script.start("root", at: 0)
    for key in ["a", "b", "c"] { script.submit(key, in: "root", at: 0) }
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.finish("b", at: 4)
    script.finish("a", at: 6)
    script.start("c", at: 6)
    script.finish("c", at: 9)
    script.finish("root", at: 9)
    #expect(script.record().criticalPath == ["a", "c"])
  }

  @Test func ofSeveralEdgesTheLastFinisherBinds() {
    var script = EventScript()
    script.submit("root", "graph", at: 0)
    script.start("root", at: 0)
    for key in ["a", "b", "c"] { script.submit(key, in: "root", at: 0) }
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.finish("a", at: 5)
    script.finish("b", at: 8)
    script.edge(.dependency, "b", "c", at: 8)
    script.edge(.dependency, "a", "c", at: 8)
    script.start("c", at: 8)
    script.finish("c", at: 9)
    script.finish("root", at: 9)
    #expect(script.record().criticalPath == ["b", "c"])
  }

  @Test func blockedTimeIsCountedOncePerLaneAndReportedOncePerStep() {
    var script = EventScript()
    script.submit("root", "serial.semaphore", at: 0)
    script.start("root", at: 0)
    script.submit("a", in: "root", at: 0)
    script.submit("b", in: "root", at: 0)
    script.start("a", at: 0)
    script.block("root", at: 0)
    script.lane = Lane(number: 9)
    script.finish("a", at: 10)
    script.lane = Lane(number: 7)
    script.unblock("root", at: 10)
    script.start("b", at: 10)
    script.block("root", at: 10)
    // Parked twice over is parked once.
    script.block("b", at: 12)
    script.unblock("b", at: 14)
    script.finish("b", at: 15)
    script.unblock("root", at: 15)
    script.finish("root", at: 15)
    let record = script.record()
    #expect(record.blocked == .ms(15))
    #expect(record.threads == 2)
    #expect(record.intervals.map(\.from) == [0, .ms(10)])
    #expect(record.intervals.map(\.to) == [.ms(10), .ms(15)])
    #expect(record.intervals.allSatisfy { $0.step == "root" && $0.lane == "pool-1" })
    #expect(record.lints.map(\.rule) == ["blocked-thread"])
    #expect(record.lints.first?.step == "root")
    #expect(record.lints.first?.message.contains("15ms in 2 stretches") == true)
  }

  @Test func whoWokeAPatternIsWhatItsNextStepWaitedFor() {
    var script = EventScript()
    script.submit("root", "group", at: 0)
    script.start("root", at: 0)
    for queue in ["p", "q"] { script.submit(queue, "serial.semaphore", in: "root", at: 0) }
    for (queue, steps) in [("p", ["a", "b"]), ("q", ["c", "d"])] {
      script.start(queue, at: 0)
      for step in steps { script.submit(step, in: queue, at: 0) }
      script.start(steps[0], at: 0)
      script.block(queue, at: 0)
    }
    script.finish("a", at: 20)
    // It finishes later than what b waits for, and has nothing to do with it.
    script.finish("c", at: 20)
    script.edge(.woke, "a", "p", at: 20)
    script.unblock("p", at: 20)
    script.start("b", at: 20)
    script.edge(.woke, "c", "q", at: 20)
    script.unblock("q", at: 20)
    script.start("d", at: 20)
    script.finish("d", at: 25)
    script.finish("q", at: 25)
    script.finish("b", at: 30)
    script.finish("p", at: 30)
    script.finish("root", at: 30)
    #expect(script.record().criticalPath == ["a", "b"])
    #expect(script.record().edges.map(\.kind) == [.woke, .woke])
  }

  @Test func whoResolvedTheWholeIsAnEdgeToItsLabel() {
    var script = EventScript()
    script.submit("root", "all", at: 0)
    script.start("root", at: 0)
    script.submit("a", in: "root", at: 0)
    script.start("a", at: 0)
    script.finish("a", at: 10)
    script.edge(.resolvedBy, "a", "root", at: 10)
    script.edge(.woke, "a", "root", at: 10)
    script.finish("root", at: 10)
    #expect(script.record().edges == [EdgeRecord(from: "a", to: "root", kind: .resolvedBy)])
    #expect(script.record().criticalPath == ["a"])
  }

  @Test func whoWokeAStepComesBeforeIt() {
    var script = EventScript()
    script.submit("root", "group", at: 0)
    script.start("root", at: 0)
    for key in ["a", "b", "c"] { script.submit(key, in: "root", at: 0) }
    for key in ["a", "b", "c"] { script.start(key, at: 0) }
    script.block("b", at: 0)
    script.finish("a", at: 10)
    script.finish("c", at: 10)
    script.edge(.woke, "a", "b", at: 10)
    script.unblock("b", at: 10)
    script.finish("b", at: 12)
    script.finish("root", at: 12)
    #expect(script.record().criticalPath == ["a", "b"])
  }

  @Test func whoStarvesIsToldWithThoseThatBlock() {
    var script = EventScript()
    script.submit("root", "group", at: 0)
    script.start("root", at: 0)
    for key in ["q1", "q2", "late"] { script.submit(key, "serial.semaphore", in: "root", at: 0) }
    for (index, key) in ["q1", "q2"].enumerated() {
      script.lane = Lane(number: UInt32(index + 1))
      script.start(key, at: 0)
      script.block(key, at: 0)
    }
    script.misuse("starvation", "late", at: 0)
    script.unblock("q2", at: 5)
    let lint = script.record(outcome: .unfinished).lints.first { $0.rule == "starvation" }
    #expect(lint?.step == "late")
    #expect(
      lint?.message
        == "“late” “late” did it, by “q1” and “q2”; let those wait without a thread")
  }

  @Test func workIsSummedAndTellsTheLane() {
    var script = EventScript()
    script.submit("root", "group", at: 0)
    script.start("root", at: 0)
    script.submit("a", "work", in: "root", at: 0)
    script.start("a", at: 0)
    script.lane = Lane(number: 3)
    script.work("a", for: 10, at: 10)
    script.finish("a", at: 10)
    script.finish("root", at: 10)
    let record = script.record()
    #expect(record.work == .ms(10))
    #expect(record.steps[0].lane == "pool-2")
    #expect(record.steps[0].work == .ms(10))
  }

  @Test func aRetryHasTheSamePathAndCountsAsAStart() {
    var script = EventScript()
    script.submit("root", "retry", at: 0)
    script.start("root", at: 0)
    script.submit("first", in: "root", label: "call", group: "job", at: 0)
    script.submit("other", in: "root", label: "plain", at: 0)
    script.start("first", at: 0)
    script.finish("first", .failure, because: "no", at: 5)
    script.submit("second", in: "root", label: "call", group: "job", at: 5)
    script.start("second", at: 5)
    script.finish("second", at: 9)
    script.finish("root", at: 9)
    let record = script.record()
    #expect(record.steps.map(\.path) == ["job/call", "plain", "job/call"])
    #expect(record.startCount(of: "call") == 2)
    #expect(record.startCount(of: "job/call") == 2)
    #expect(record.startCount(of: "plain") == 0)
    #expect(record.steps[0].error == "no")
    #expect(record.steps[1].outcome == .skipped)
    #expect(record.steps[1].started == nil)
    #expect(record.steps[1].lane == nil)
  }

  @Test func whatNeverCompletedIsNamed() {
    var script = EventScript()
    script.submit("root", "serial", at: 0)
    script.start("root", at: 0)
    script.submit("a", "never", in: "root", at: 0)
    script.submit("b", in: "root", at: 0)
    script.start("a", at: 0)
    let record = script.record(outcome: .unfinished, end: 50)
    #expect(record.makespan == .ms(50))
    #expect(record.steps.map(\.outcome) == [.unfinished, .skipped])
    #expect(record.open().map(\.label) == ["a"])
    #expect(record.lints.map(\.rule) == ["never-completed"])
    #expect(record.lints.map(\.step) == ["a"])
  }

  @Test func whatIsCancelledBeforeItStartsIsCancelled() {
    var script = EventScript()
    script.submit("root", "serial", at: 0)
    script.start("root", at: 0)
    script.submit("a", in: "root", at: 0)
    script.submit("b", in: "root", at: 0)
    script.submit("c", in: "root", at: 0)
    script.start("a", at: 0)
    script.finish("a", .cancelled, at: 5)
    // One was called off by name, the other with the whole.
    script.finish("b", .cancelled, at: 5)
    script.finish("root", .cancelled, at: 5)
    let record = script.record(outcome: .cancelled)
    #expect(record.steps.map(\.outcome) == [.cancelled, .cancelled, .cancelled])
    #expect(record.steps[1...].allSatisfy { $0.started == nil && $0.finished == nil })
    #expect(record.steps.map { $0.isCritical } == [true, false, false])
    #expect(record.criticalPath == ["a"])
  }

  @Test func whatIsLeftOutWhileOthersAreCancelledIsSkipped() {
    var script = EventScript()
    script.submit("root", "race", at: 0)
    script.start("root", at: 0)
    for part in ["fast", "slow", "broken"] {
      script.submit(part, "serial", in: "root", at: 0)
      script.start(part, at: 0)
      script.submit(part + "-1", in: part, at: 0)
      script.submit(part + "-2", in: part, at: 0)
      script.start(part + "-1", at: 0)
    }
    script.finish("broken-1", .failure, because: "no", at: 1)
    script.finish("broken", .failure, because: "no", at: 1)
    script.finish("fast-1", at: 2)
    script.finish("fast", at: 2)
    script.finish("slow-1", .cancelled, at: 2)
    script.finish("slow", .cancelled, at: 2)
    script.finish("root", at: 2)
    let record = script.record()
    let outcomes = Dictionary(uniqueKeysWithValues: record.steps.map { ($0.label, $0.outcome) })
    #expect(outcomes["fast-2"] == .skipped)
    #expect(outcomes["slow-2"] == .cancelled)
    #expect(outcomes["broken-2"] == .skipped)
  }

  @Test func theWinnerOfARaceIsCriticalNotTheOneItCalledOff() {
    var script = EventScript()
    script.submit("root", "race", at: 0)
    script.start("root", at: 0)
    script.submit("a", in: "root", at: 0)
    script.submit("b", in: "root", at: 0)
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.finish("a", at: 10)
    script.finish("b", .cancelled, at: 10)
    script.finish("root", at: 10)
    #expect(script.record().criticalPath == ["a"])
  }

  @Test func stragglersAndSecondCompletionsLengthenTheRun() {
    var script = Self.serial
    script.misuse("completed-twice", "b", at: 50)
    let record = script.record()
    #expect(record.makespan == .ms(45))
    #expect(
      record.lints == [
        LintRecord(rule: "completed-twice", step: "b", message: "“b” did it")
      ])
  }

  @Test func aStepAloneIsItsOnlyStep() {
    var script = EventScript()
    script.submit("sleep", at: 0)
    script.start("sleep", at: 0)
    script.finish("sleep", at: 5)
    let record = script.record()
    #expect(record.steps.map(\.path) == ["sleep"])
    #expect(record.criticalPath == ["sleep"])
    #expect(record.makespan == .ms(5))
    #expect(record.maxConcurrency == 1)
  }

  @Test func stepsThatTakeNoTimeAreNotSideBySide() {
    var script = EventScript()
    script.submit("root", "serial", at: 0)
    script.start("root", at: 0)
    for number in 1...100 { script.submit("v-\(number)", "value", in: "root", at: 0) }
    for number in 1...100 {
      script.start("v-\(number)", at: 0)
      script.finish("v-\(number)", at: 0)
    }
    script.finish("root", at: 0)
    #expect(script.record().maxConcurrency == 1)
  }

  @Test func mainIsMainAndOthersAreNumberedAsTheyAppear() {
    var script = EventScript()
    script.lane = Lane(number: 40)
    script.submit("root", "group", at: 0)
    script.start("root", at: 0)
    for key in ["a", "b", "c"] { script.submit(key, in: "root", at: 0) }
    script.lane = .main
    script.start("a", at: 0)
    script.lane = Lane(number: 12)
    script.start("b", at: 0)
    script.lane = Lane(number: 40)
    script.start("c", at: 0)
    let record = script.record(outcome: .unfinished)
    #expect(record.steps.map(\.lane) == ["main", "pool-2", "pool-1"])
    #expect(record.threads == 3)
  }

  @Test func noEventsAtAllAreARecordToo() {
    let record = RunRecord(events: [], clock: .live, result: nil)
    #expect(record.steps.isEmpty)
    #expect(record.makespan == 0)
    #expect(record.outcome == .unfinished)
  }

  @Test func spansOfAnyNumberAndDepthAreBorne() {
    var events: [TraceEvent] = []
    for depth in 0..<20_000 {
      events.append(
        .submitted(
          Span(id: .max - UInt32(depth)),
          in: depth == 0 ? .none : Span(id: .max - UInt32(depth) + 1),
          label: "x", kind: "serial", at: .zero))
      events.append(.started(Span(id: .max - UInt32(depth)), at: .zero))
    }
    #expect(RunRecord(events: events, clock: .virtual, result: nil).steps.count == 19_999)
    #expect(RunRecord(events: events.reversed(), clock: .virtual, result: nil).steps.count > 1)
  }
}
