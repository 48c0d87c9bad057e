import Foundation
import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// Why steps of the critical path could start, and the slack of the other steps.
@Suite struct HandOverTests {
  private func pictured(_ script: EventScript) -> PicturedRun {
    PicturedRun(ExportSamples.run("run", script))
  }

  private func slack(_ run: PicturedRun) -> [String: Int64] {
    Dictionary(
      uniqueKeysWithValues: zip(run.record.steps, run.slack).compactMap { step, slack in
        slack.map { (step.label, $0) }
      })
  }

  @Test func `a dependency is the reason for a start`() {
    let run = pictured(AnalysisTests.serial)
    #expect(run.criticalLabels == ["a", "b"])
    #expect(run.critical.map(\.reason) == [nil, .dependency])
    #expect(run.critical.map(\.time) == [.ms(10), .ms(20)])
    #expect(run.waitedFor[1]?.step == 0 && run.waitedFor[1]?.reason == .dependency)
    #expect(run.waitedFor[0] == nil)
    #expect(run.share(.ms(20)) == "67\u{A0}%")
    #expect(run.advice?.contains("start with “b”") == true)
  }

  /// The steps of a pattern have the dependencies of the pattern: `graph { a; b; c: serial { fetch; store } after a }`.
  @Test func `steps that are not on the path have slack`() {
    let run = pictured(AnalysisTests.nested)
    #expect(run.criticalLabels == ["a", "fetch", "store"])
    #expect(run.critical.map(\.reason) == [nil, .dependency, .dependency])
    #expect(slack(run) == ["a": 0, "b": .ms(20), "c": 0, "fetch": 0, "store": 0])
  }

  @Test func `a step has the slack of the step that waits for it`() {
    // d waits for a and b; e takes longer than all other steps.
    let run = pictured(
      EventScript("graph: graph { a: 0..5; b: 0..10; d: 10..18 after a,b; e: 0..30 }"))
    #expect(slack(run) == ["a": .ms(17), "b": .ms(12), "d": .ms(12), "e": 0])
    #expect(run.waitedFor[2]?.step == 1, "the last of the two")
  }

  @Test func `a permit and a woken thread are reasons for a start`() {
    let script = EventScript(
      """
      bounded: bounded blocked 10..20 by b { a: 0..10; b: 10..20 permit a; c: 20..30 woken b }
      """)
    #expect(pictured(script).critical.map(\.reason) == [nil, .permit, .woke])
  }

  @Test func `of two equal reasons for a start the first one counts`() {
    var script = EventScript("graph", "graph", steps: ["a", "b"])
    script.start("a", at: 0)
    script.finish("a", at: 10)
    script.await("b", (.end, "a"), at: 10)
    script.await("b", (.permit, "a"), at: 10)
    script.start("b", at: 10)
    script.finish("b", at: 20)
    script.finish("graph", at: 20)
    #expect(pictured(script).critical.map(\.reason) == [nil, .dependency])
  }

  @Test func `a step that waited for a lane was queued`() {
    var script = EventScript("pool", "group", steps: ["a", "b"])
    script.start("a", at: 0)
    script.finish("a", at: 10)
    script.start("b", because: (.parent, "pool"), ready: 0, behind: "a", at: 10)
    script.finish("b", at: 20)
    script.finish("pool", at: 20)
    let run = pictured(script)
    #expect(run.critical.map(\.reason) == [nil, .queue])
    #expect(run.advice?.hasPrefix("Each of the 2 steps") == true)
  }

  @Test(arguments: [
    ("root: group { a: 0..30; b: 0..30 }", " “a” must become shorter, too: it has no slack."),
    ("root: group { a: 0..30; b: 0..29 }", ""),
    (
      "root: group { a: 0..300; b: 0..299 }",
      " “b” must become shorter, too: it has only 1ms of slack."
    ),
    ("root: group { a: 0..30; b: 0..10; c: 30..40 after a; d: 30..40 after a }", ""),
    ("root: group { p-1: 0..30; p-2: 0..30; p-3: 30..50 after p-1; p-4: 30..50 after p-2 }", ""),
  ])
  func `an advice names another step that would keep the run as long`(
    _ text: String, _ end: String
  ) {
    let advice = ExportSamples.run("root", EventScript(text)).advice ?? ""
    #expect(advice.hasSuffix("of the makespan.\(end)"), "\(advice)")
  }

  @Test func `steps with the same name share an advice`() {
    let run = pictured(
      EventScript(
        "serial: serial { big: 0..9; page-1: 9..15 after big; page-2: 15..21 after page-1 }"))
    #expect(run.largest?.count == 2 && run.largest?.time == Int64.ms(12))
    #expect(run.advice?.contains("2 of them one after another took 12ms") == true)
  }

  @Test func `there is no advice for a failed run`() {
    var run = ExportSamples.run("run", AnalysisTests.serial)
    run.record.outcome = .failure
    #expect(PicturedRun(run).advice == nil)
  }

  @Test func `a record without events is enough`() {
    var run = ExportSamples.run("run", AnalysisTests.serial)
    run.events = []
    let pictured = PicturedRun(run)
    #expect(pictured.criticalLabels == ["a", "b"])
    #expect(pictured.slack == [nil, nil])
  }

  @Test(arguments: [ExportSamples.awkward, ExportSamples.wide, EventScript()])
  func `critical steps have no slack`(script: EventScript) {
    let run = pictured(script)
    #expect(run.criticalLabels == run.record.criticalPath)
    for (step, slack) in zip(run.record.steps, run.slack) {
      if step.finished == nil { #expect(slack == nil, "\(step.label)") }
      if step.isCritical { #expect(slack == 0, "\(step.label)") }
      if let slack, let finished = step.finished {
        #expect(slack >= 0 && slack <= run.record.makespan - finished)
      }
    }
  }

  @Test func `a repeated name is worth the time of all its steps`() {
    let run = PicturedRun(ManySteps.run(60))
    // Six waves of ten.
    #expect(run.largest?.name == "page" && run.largest?.count == 6)
    #expect(run.largest?.time == run.record.makespan)
  }
}

extension PicturedRun {
  /// The labels of the critical path, the first step first.
  fileprivate var criticalLabels: [String] { critical.map { record.steps[$0.step].label } }
}
