import Foundation
import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// A report in Chromium, without a network: `Validators/report.mjs` acts like a user.
@Suite(
  .serialized,
  .enabled(
    if: Validator.chromium != nil,
    "A page is opened in headless Chromium by Node: Debian packages chromium and nodejs ($VALIDATORS_CHROMIUM)."
  ))
struct ReportBrowserTests {
  private struct Answer: Decodable {
    struct View: Decodable {
      var from: Double
      var to: Double
      /// The time that drawing took, in milliseconds.
      var frame: Double
      var span: Double { to - from }
    }
    struct Step: Decodable {
      var step: Int
      var path: String
      var numbers: [String: Int64?]
    }
    struct Colors: Decodable, Equatable {
      var ground: String
      var text: String
      var showsCritical: Bool
    }
    var errors: [String?]
    var requests: [String]
    var title: String
    var whole, wheeled, wheeledBack, keyed, panned, fitted, buttoned, dragged, pinched: View
    var tip, details, nextDetails, tapped: String?
    var steps, sorted: [Step]
    var sortedBy: String
    var findings: [String]
    var plots: Int
    var bold: Int
    var runs: Int
    var light, dark: Colors
    var phoneWidth, smallWidth: Int
    /// The rows while nothing is opened; empty if no row stands for several steps. The next four properties are the
    /// rows after folding again, and the numbers of rows after opening.
    var folded: [String]
    var foldedByKey, foldedAgain: [String]?
    var opened, openedForIt: Int?
    var familyDetails, asked, laneTip: String?
  }

  /// The decoded answer, and the same answer as JSON objects, for lists that contain different kinds of values.
  private func look(at report: HTMLReport) throws -> (Answer, [String: Any]) {
    let program = try #require(Validator.chromium)
    return try Validator.withFile(report.html, ending: ".html") { file in
      let output = Data(
        try Validator.run("node", Validator.script("report.mjs"), program, file).utf8)
      let object = try JSONSerialization.jsonObject(with: output) as? [String: Any]
      return (try JSONDecoder().decode(Answer.self, from: output), object ?? [:])
    }
  }

  private static let comparison = Comparison(
    [
      Sample("before", [10_000, 11_000, 12_000, 10_500, 11_500, 12_500]),
      Sample("<b>after</b>", [20_000, 21_000, 22_000, 20_500, 21_500, 22_500]),
    ], clock: .live)

  @Test func `a reader can zoom, move and select`() throws {
    let run = ExportSamples.run("nested", AnalysisTests.nested)
    let other = ExportSamples.run("serial", AnalysisTests.serial)
    let (answer, object) = try look(
      at: HTMLReport(runs: [run, other], comparisons: [Self.comparison]))
    #expect(answer.errors.isEmpty, "\(answer.errors)")
    #expect(answer.requests.isEmpty, "\(answer.requests)")
    #expect(answer.title == "nested · timing report")
    #expect(answer.runs == 2)
    // Zooming and moving by wheel, keys, buttons, mouse and touch.
    let makespan = Double(run.record.makespan)
    #expect(answer.whole.from == 0 && answer.whole.to == makespan)
    #expect(answer.wheeled.span < makespan * 0.9)
    #expect(answer.wheeled.from > 0 && answer.wheeled.to < makespan)
    #expect(answer.wheeledBack.span == makespan)
    #expect(answer.keyed.span < makespan)
    #expect(answer.panned.from > answer.keyed.from)
    #expect(answer.fitted.span == makespan)
    #expect(answer.buttoned.span == makespan / 2)
    #expect(answer.dragged.from > answer.buttoned.from)
    #expect(abs(answer.dragged.span - answer.buttoned.span) < 3)
    #expect(answer.pinched.span < makespan)
    // Details by pointing, choosing and tapping.
    #expect(answer.tip?.contains("took") == true && answer.tip?.hasPrefix("a") == true)
    #expect(answer.details?.contains("25 % of the makespan") == true, "\(answer.details ?? "")")
    #expect(answer.nextDetails?.hasPrefix("b") == true, "\(answer.nextDetails ?? "")")
    #expect(answer.nextDetails?.contains("20ms later without delaying the run") == true)
    #expect(answer.tapped?.hasPrefix("a") == true)
    // On any size of screen, in light and dark mode.
    #expect(answer.phoneWidth == 375 && answer.smallWidth == 320)
    #expect(answer.light.ground != answer.dark.ground && answer.light.text != answer.dark.text)
    #expect(answer.light.showsCritical && answer.dark.showsCritical)
    // The comparison.
    #expect(answer.plots == 2)
    let medians = object["medians"] as? [[Any]] ?? []
    #expect(medians.compactMap { $0[0] as? String } == ["before", "<b>after</b>"])
    #expect(medians.compactMap { $0[1] as? Double } == Self.comparison.rows.compactMap(\.median))
  }

  @Test func `the numbers are those of the record`() throws {
    let run = ExportSamples.run("nested", AnalysisTests.nested)
    let (answer, object) = try look(at: HTMLReport(runs: [run]))
    let facts = try #require(object["facts"] as? [String: Any])
    let record = run.record
    #expect(facts["makespan"] as? Int == Int(record.makespan))
    #expect(facts["work"] as? Int == Int(record.work))
    #expect(facts["blocked"] as? Int == Int(record.blocked))
    #expect(facts["concurrency"] as? String == String(record.maxConcurrency))
    #expect(facts["threads"] as? String == String(record.threads))
    #expect(answer.steps.map(\.path) == record.steps.map(\.path))
    for (shown, step) in zip(answer.steps, record.steps) {
      #expect(shown.numbers["submitted"] == step.submitted)
      #expect(shown.numbers["started"] == step.started)
      #expect(shown.numbers["finished"] == step.finished)
      #expect(shown.numbers["took"] == step.duration)
    }
    #expect(answer.sortedBy == "took descending")
    let sorted = record.steps.compactMap(\.duration).sorted(by: >)
    #expect(answer.sorted.compactMap { $0.numbers["took"] ?? nil } == sorted)
    let path = object["path"] as? [[Any]] ?? []
    #expect(path.compactMap { $0[0] as? String } == record.criticalPath)
    #expect(path.compactMap { $0[1] as? Int } == [10_000_000, 15_000_000, 15_000_000])
    #expect(
      path.compactMap { $0[2] as? String } == [
        "–", "after a: dependency", "after fetch: dependency",
      ])
  }

  @Test func `marks of findings keep their places and their order`() throws {
    let run = ExportSamples.run("nested", AnalysisTests.nested)
    let (_, object) = try look(at: HTMLReport(runs: [run]))
    // A mark is moved only if it is near others, and never past the right edge at 100.
    #expect(object["places"] as? [Int] == [50, 69, 90, 71])
    #expect(object["firstMarks"] as? [[Int]] == [[2, 10], [1, 30]])
  }

  @Test func `text of a run is neither markup nor an error`() throws {
    let (answer, _) = try look(at: HTMLReport(runs: [ManySteps.hostileRun]))
    #expect(answer.errors.isEmpty && answer.requests.isEmpty, "\(answer)")
    #expect(answer.bold == 0)
    #expect(answer.findings.count == ManySteps.hostileRun.record.lints.count)
    #expect(answer.phoneWidth == 375 && answer.smallWidth == 320)
  }

  @Test func `a label in a comparison is not markup`() throws {
    func run(_ time: Int64) -> SavedRun {
      ExportSamples.run(
        "<b>", StepComparisonTests.script([("e<b>", time), ("<img src=x>", 5)]))
    }
    let runs = [run(10), run(12)]
    let comparison = Comparison(
      of: zip(["before<b>", "after<b>"], runs).map { .init($0, [$1.record]) }, clock: .virtual)
    #expect(comparison.divergences.count == 1)
    let (answer, object) = try look(at: HTMLReport(runs: runs, comparisons: [comparison]))
    #expect(answer.errors.isEmpty && answer.requests.isEmpty, "\(answer)")
    #expect(answer.bold == 0)
    let text = try #require((object["comparisons"] as? [String])?.first)
    #expect(text.contains("finished e<b> on") && text.contains("First difference"), "\(text)")
  }

  @Test func `ten thousand steps are drawn within a frame`() throws {
    let run = ManySteps.run(10_000)
    let (answer, _) = try look(at: HTMLReport(runs: [run]))
    #expect(answer.errors.isEmpty)
    // A part of the table; the rest is added on request.
    #expect(answer.steps.count == 50)
    #expect(answer.wheeled.span < Double(run.record.makespan))
    #expect(answer.phoneWidth == 375)
    // Not a measurement: drawing all rows would take a hundred times as long.
    #expect(answer.wheeled.frame < 200, "\(answer.wheeled.frame) ms")
    // The steps are one row, which shows where the time went, until the user opens it.
    #expect(answer.folded.map(plain) == ["page × 10 000"])
    #expect(answer.opened == 10_001 && answer.openedForIt == 10_001)
    #expect(answer.foldedByKey == answer.folded && answer.foldedAgain == answer.folded)
    let details = plain(answer.familyDetails ?? "")
    #expect(details.contains("10 000"), "\(details)")
    #expect(details.contains("1 000 of them, 100 % of the makespan"), "\(details)")
    #expect(details.contains("3ms to 7ms, median 5ms"), "\(details)")
    #expect(answer.asked?.hasPrefix("page-") == true, "\(answer.asked ?? "")")
  }

  private func plain(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The families `page` and `tile`, steps below each page, and one step that belongs to no family.
  private static let families = {
    var script = EventScript("graph", "graph", steps: ["first"])
    script.start("first", at: 0)
    for index in 1...12 {
      let page = "page-\(index)"
      script.submit(page, "serial", in: "graph", at: 0)
      for part in ["read", "draw"] {
        script.submit("\(page) \(part)", in: page, label: part, at: 0)
      }
    }
    for index in 1...4 { script.submit("tile-\(index)", "work", in: "graph", at: 0) }
    script.finish("first", at: 4)
    for index in 1...12 {
      let page = "page-\(index)"
      script.start(page, after: "first", at: 4)
      script.start("\(page) read", at: 4)
      script.finish("\(page) read", at: 6)
      script.start("\(page) draw", at: 6)
      script.finish("\(page) draw", at: Int64(6 + index))
      script.finish(page, at: Int64(6 + index))
    }
    for index in 1...4 {
      script.start("tile-\(index)", at: Int64(index))
      script.finish("tile-\(index)", index == 2 ? .failure : .success, at: Int64(index + 1))
    }
    script.finish("graph", at: 18)
    return script
  }()

  /// The given number of steps, which have nothing in common except their pattern.
  private static func unlike(_ count: Int) -> EventScript {
    let names = (0..<count).map { index in "s\(index)x" }
    var script = EventScript("group", "group", steps: names)
    for (index, name) in names.enumerated() {
      script.start(name, at: 0)
      script.finish(name, at: Int64(1 + index * 7 % count))
    }
    script.finish("group", at: Int64(count))
    return script
  }

  @Test(arguments: [("families", families), ("unlike", unlike(60))])
  func `the same rows are folded as in the terminal`(_ name: String, _ script: EventScript) throws {
    let run = ExportSamples.run(name, script)
    let (answer, _) = try look(at: HTMLReport(runs: [run]))
    let expected = TimelineRows(run.record, height: 21)
    let rest = expected.leftOut.map { "… " + plain($0).prefix { $0 != "," } }
    let labels = expected.rows.map { plain($0.label) } + (rest.map { [$0] } ?? [])
    #expect(answer.folded.map(plain) == labels)
    #expect(answer.errors.isEmpty, "\(answer.errors)")
    #expect(try #require(answer.opened) > answer.folded.count)
  }

  @Test func `lanes are shown as in the terminal`() throws {
    let run = ExportSamples.run("queue", LaneTimelineTests.blocking)
    let (answer, object) = try look(at: HTMLReport(runs: [run]))
    let lanes = LaneTimeline(run).lanes
    let shown = try #require(object["lanes"] as? [[Any]])
    #expect(shown.map { $0[0] as? String } == lanes.map(\.use.lane))
    #expect(shown.map { $0[1] as? Int64 } == lanes.map(\.use.work))
    #expect(shown.map { $0[2] as? Int64 } == lanes.map(\.use.blocked))
    #expect(shown.map { $0[3] as? Int64 } == lanes.map(\.use.idle))
    let stretches = shown.map { row in
      (row[4] as? [[Any]] ?? []).map { "\($0[0]) \($0[1]) \($0[2]) \($0[3])" }
    }
    #expect(
      stretches == [
        [], ["blocked queue 0 20000000"], ["flight fetch 0 10000000"],
        ["flight parse 10000000 20000000", "run parse 10000000 20000000"],
      ])
    #expect(answer.laneTip?.contains("50 %") == true, "\(answer.laneTip ?? "")")
    #expect(answer.laneTip?.contains("parse") == true, "\(answer.laneTip ?? "")")
    #expect(answer.errors.isEmpty, "\(answer.errors)")
  }

  /// Counters that the terminal draws as one line are one strip. Counters without room are counted.
  @Test func `counters are joined and counted`() throws {
    func strips(_ script: EventScript) throws -> (strips: [[Any]], leftOut: String?) {
      let (answer, object) = try look(at: HTMLReport(runs: [ExportSamples.run("counters", script)]))
      #expect(answer.errors.isEmpty, "\(answer.errors)")
      let strips = try #require(object["strips"] as? [[Any]])
      return (strips.filter { $0[0] as? String != "in flight" }, object["leftOut"] as? String)
    }
    let fade = try strips(CounterTests.fade)
    #expect(fade.strips.map { $0[0] as? String } == ["opacity"] && fade.leftOut == nil)
    #expect(fade.strips[0][1] as? Int == 31 + 21)
    let sideBySide = CounterLine.lines(of: CounterTests.sideBySide.record().counters)
    #expect(sideBySide.count > 1)
    #expect(
      try strips(CounterTests.sideBySide).strips.map { $0[0] as? String } == sideBySide.map(\.title)
    )
    for (count, leftOut) in [(8, nil), (9, "… 1 more counter"), (30, "… 22 more counters")] {
      var script = EventScript("run", "serial", steps: ["a"])
      for name in CounterPlotTests.names(count) { script.counter(name, 1, of: "run", at: 1) }
      script.finish("run", at: 2)
      let shown = try strips(script)
      #expect(shown.strips.count == 8 && shown.leftOut == leftOut)
    }
  }

  @Test func `runs without steps are not an error`() throws {
    let (answer, _) = try look(
      at: HTMLReport(runs: [ExportSamples.run("empty", EventScript()), ExportSamples.runs[0]]))
    #expect(answer.errors.isEmpty, "\(answer.errors)")
  }
}
