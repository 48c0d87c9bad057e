import Testing
import TimingTrace

/// The fate of steps: starts, outcomes, and steps that never ended.
@Suite struct StepFateTests {
  @Test func `a retry has the same path and counts as a start`() {
    var script = EventScript()
    script.submit("root", "retry", at: 0)
    script.start("root", at: 0)
    script.submit("first", in: "root", label: "call", group: "job", at: 0)
    script.submit("other", in: "root", label: "plain", at: 0)
    script.start("first", at: 0)
    script.finish("first", .failure, error: "no", at: 5)
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

  /// The numbers of starts depend on equal labels of one pattern, in any order, and not on equal stems.
  @Test(arguments: [
    (["page-1", "page-2", "page-3", "other"], [nil, nil, nil, nil]),
    (["page-1", "page-2", "page-1", "page-2"], [1, 1, 2, 2]),
    (["page-2", "other", "page-1", "page-02", "page-10", "page-1"], [nil, nil, 1, nil, nil, 2]),
    (["page-9", "page-10", "page-10", "page", "page-"], [nil, 1, 2, nil, nil]),
  ])
  func `starts of one label are numbered`(_ labels: [String], _ numbers: [Int?]) {
    var script = EventScript("root", "retry", steps: ["inner"])
    for (index, label) in labels.enumerated() {
      script.submit("\(index)", in: "root", label: label, at: 0)
      script.submit("part of \(index)", in: "inner", label: "page-\(index)", at: 0)
    }
    let record = script.record(outcome: .unfinished)
    #expect(record.steps.filter { $0.parent == nil }.map(\.attempt) == [nil] + numbers)
    #expect(record.steps.filter { $0.parent != nil }.allSatisfy { $0.attempt == nil })
  }

  @Test func `a step that never completed is named`() {
    let script = EventScript("root: serial 0.. { a: never 0..; b: }")
    let record = script.record(outcome: .unfinished, end: 50)
    #expect(record.makespan == .ms(50))
    #expect(record.steps.map(\.outcome) == [.unfinished, .waiting])
    #expect(record.open().map(\.label) == ["a"])
    #expect(record.lints.map(\.rule) == ["never-completed"])
    #expect(record.lints.map(\.step) == ["a"])
  }

  /// The run continues, but the pattern that contains the step has ended without it.
  @Test func `a step that its pattern skipped does not wait`() {
    let script = EventScript(
      "root: group 0.. { inner: serial failed { a: 0..5 failed; b: } other: never 0.. }")
    let record = script.record(outcome: .unfinished, end: 50)
    let outcomes = Dictionary(uniqueKeysWithValues: record.steps.map { ($0.label, $0.outcome) })
    #expect(
      outcomes == ["inner": .failure, "other": .unfinished, "a": .failure, "b": .skipped])
  }

  @Test func `a step that is cancelled before its start is cancelled`() {
    var script = EventScript("root", "serial", steps: ["a", "b", "c"])
    script.start("a", at: 0)
    script.finish("a", .cancelled, because: (.cancellation, ""), cancelled: 5, at: 5)
    // The cancellation of b has its own event. The cancellation of c has none: it was cancelled with the whole run.
    script.finish("b", .cancelled, because: (.cancellation, ""), cancelled: 5, at: 5)
    script.finish("root", .cancelled, because: (.end, "a"), at: 5)
    let record = script.record(outcome: .cancelled)
    #expect(record.steps.map(\.outcome) == [.cancelled, .cancelled, .cancelled])
    #expect(record.steps[1...].allSatisfy { $0.started == nil && $0.finished == nil })
    #expect(record.steps.map { $0.isCritical } == [true, false, false])
    #expect(record.criticalPath == ["a"])
  }

  @Test func `a step left out while others are cancelled is skipped`() {
    let record = EventScript(
      """
      root: race {
        fast: serial { fast-1: 0..2; fast-2: }
        slow: serial cancelled { slow-1: 0..2 cancelled; slow-2: }
        broken: serial failed { broken-1: 0..1 failed; broken-2: }
      }
      """
    ).record()
    let outcomes = Dictionary(uniqueKeysWithValues: record.steps.map { ($0.label, $0.outcome) })
    #expect(outcomes["fast-2"] == .skipped)
    #expect(outcomes["slow-2"] == .cancelled)
    #expect(outcomes["broken-2"] == .skipped)
  }

  @Test func `stragglers and second completions lengthen the run`() {
    var script = AnalysisTests.serial
    script.misuse("completed-twice", "b", at: 50)
    let record = script.record()
    #expect(record.makespan == .ms(45))
    #expect(
      record.lints == [
        LintRecord(rule: "completed-twice", step: "b", message: "“b” did it", times: [.ms(45)])
      ])
  }

  @Test func `a run of a single step contains that step`() {
    let record = EventScript("sleep: 0..5").record()
    #expect(record.steps.map(\.path) == ["sleep"])
    #expect(record.criticalPath == ["sleep"])
    #expect(record.makespan == .ms(5))
    #expect(record.maxConcurrency == 1)
  }
}
