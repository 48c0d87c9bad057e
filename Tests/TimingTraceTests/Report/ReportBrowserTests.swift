import Foundation
import Testing
import TimingTrace

/// What a report is in Chromium, without a network: `Validators/report.mjs` does what people do.
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
      /// How long drawing took, in milliseconds.
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
  }

  /// The answer, and the same as objects, where lists hold things of different kinds.
  private func look(at report: Report) throws -> (Answer, [String: Any]) {
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

  @Test func peopleCanLookAroundInIt() throws {
    let run = ExportSamples.run("nested", AnalysisTests.nested)
    let other = ExportSamples.run("serial", AnalysisTests.serial)
    let (answer, object) = try look(
      at: Report(runs: [run, other], comparisons: [Self.comparison]))
    #expect(answer.errors.isEmpty, "\(answer.errors)")
    #expect(answer.requests.isEmpty, "\(answer.requests)")
    #expect(answer.title == "nested · timing report")
    #expect(answer.runs == 2)
    // Zooming and moving, by wheel, keys, buttons, mouse and fingers.
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
    // Details, by pointing, choosing and tapping.
    #expect(answer.tip?.contains("took") == true && answer.tip?.hasPrefix("a") == true)
    #expect(answer.details?.contains("25 % of the makespan") == true, "\(answer.details ?? "")")
    #expect(answer.nextDetails?.hasPrefix("b") == true, "\(answer.nextDetails ?? "")")
    #expect(answer.nextDetails?.contains("20ms later, and the run takes no longer") == true)
    #expect(answer.tapped?.hasPrefix("a") == true)
    // On any screen, by day and by night.
    #expect(answer.phoneWidth == 375 && answer.smallWidth == 320)
    #expect(answer.light.ground != answer.dark.ground && answer.light.text != answer.dark.text)
    #expect(answer.light.showsCritical && answer.dark.showsCritical)
    // What was compared.
    #expect(answer.plots == 2)
    let medians = object["medians"] as? [[Any]] ?? []
    #expect(medians.compactMap { $0[0] as? String } == ["before", "<b>after</b>"])
    #expect(medians.compactMap { $0[1] as? Double } == Self.comparison.rows.compactMap(\.median))
  }

  @Test func itsNumbersAreThoseOfTheRecord() throws {
    let run = ExportSamples.run("nested", AnalysisTests.nested)
    let (answer, object) = try look(at: Report(runs: [run]))
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

  @Test func noTextOfARunIsMarkupOrAnError() throws {
    let (answer, _) = try look(at: Report(runs: [ManySteps.hostileRun]))
    #expect(answer.errors.isEmpty && answer.requests.isEmpty, "\(answer)")
    #expect(answer.bold == 0)
    #expect(answer.findings.count == ManySteps.hostileRun.record.lints.count)
    #expect(answer.phoneWidth == 375 && answer.smallWidth == 320)
  }

  @Test func tenThousandStepsAreDrawnWithinAFrame() throws {
    let run = ManySteps.run(10_000)
    let (answer, _) = try look(at: Report(runs: [run]))
    #expect(answer.errors.isEmpty)
    // A part of the table, and the rest when somebody asks for it.
    #expect(answer.steps.count == 50)
    #expect(answer.wheeled.span < Double(run.record.makespan))
    #expect(answer.phoneWidth == 375)
    // Not a measurement: all rows would take a hundred times as long.
    #expect(answer.wheeled.frame < 200, "\(answer.wheeled.frame) ms")
  }

  @Test func runsWithoutStepsAreNoError() throws {
    let (answer, _) = try look(
      at: Report(runs: [ExportSamples.run("empty", EventScript()), ExportSamples.runs[0]]))
    #expect(answer.errors.isEmpty, "\(answer.errors)")
  }
}
