import Foundation
import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// The text of a comparison on a page, checked against the terminal's text for the same comparison.
@Suite(
  .serialized,
  .enabled(
    if: Validator.chromium != nil,
    "A page is opened in headless Chromium by Node: Debian packages chromium and nodejs ($VALIDATORS_CHROMIUM)."
  ))
struct ReportComparisonTests {
  /// The texts and pictures of the page, by comparison.
  private struct Page {
    var texts: [String]
    var verdicts: [String]
    var changes: [[Any]]
    var sides: [[Any]]
    /// The texts of the timelines of its runs.
    var typical: [String]
  }

  private func page(of comparisons: Comparison..., runs: [SavedRun] = []) throws -> Page {
    let run = ExportSamples.run("serial", AnalysisTests.serial)
    let html = HTMLReport(runs: runs.isEmpty ? [run] : runs, comparisons: comparisons).html
    let program = try #require(Validator.chromium)
    let output = try Validator.withFile(html, ending: ".html") {
      try Validator.run("node", Validator.script("report.mjs"), program, $0)
    }
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    #expect((object["errors"] as? [Any])?.isEmpty == true, "\(object["errors"] ?? "")")
    #expect(object["phoneWidth"] as? Int == 375 && object["smallWidth"] as? Int == 320)
    return Page(
      texts: (object["comparisons"] as? [String] ?? []).map(Self.plain),
      verdicts: (object["verdicts"] as? [String] ?? []).map(Self.plain),
      changes: object["changes"] as? [[Any]] ?? [], sides: object["sides"] as? [[Any]] ?? [],
      typical: object["typical"] as? [String] ?? [])
  }

  /// The words separated by one space each, with times as the terminal writes them.
  private static func plain(_ text: String) -> String {
    text.replacing("µs", with: "us").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The pieces of the terminal's text that have a column of their own on the page.
  private func pieces(_ text: String?) -> [String] {
    let cells = (text ?? "").split(whereSeparator: { "\n│≠".contains($0) }).map(String.init)
    let pieces = cells.flatMap { $0.split(separator: "  ").map { Self.plain(String($0)) } }
    // A heading needs no colon.
    return pieces.filter { !$0.isEmpty && $0 != "-" }.map {
      $0.hasSuffix(":") ? String($0.dropLast()) : $0
    }
  }

  /// Everything that the terminal prints about the comparison.
  private func told(_ comparison: Comparison) -> [String] {
    let baseline = comparison.rows[0].name
    return pieces(comparison.table(width: 300)) + comparison.warnings.map(Self.plain)
      + comparison.rows.dropFirst().flatMap {
        pieces(comparison.stepTable(of: $0.name, width: 300))
      }
      + comparison.divergences.flatMap {
        pieces($0.divergence.text((baseline, $0.name), width: 300))
      }
  }

  private func expectAll(_ told: [String], in text: String) {
    for piece in told {
      #expect(text.localizedCaseInsensitiveContains(piece), "“\(piece)” is not in: \(text)")
    }
  }

  /// Two runs of equal length, although a step in the middle differs.
  private static let sides = {
    func run(_ short: Int64, extra: String) -> RunRecord {
      var script = EventScript("group", "group", steps: ["p", "q", extra])
      for step in ["p", "q", extra] { script.start(step, at: 0) }
      script.finish("q", at: short)
      script.finish(extra, at: 4)
      script.finish("p", at: 5)
      script.finish("group", at: 5)
      return script.record(name: "group")
    }
    var after = run(2, extra: "fresh")
    after.blocked = 1_500_000
    after.lints = [LintRecord(rule: "blocked-thread", step: "q", message: "why; how not to")]
    return [
      Comparison.Side("before.runs", [run(1, extra: "stale")], workers: 2),
      Comparison.Side("after.runs", [after], workers: 4),
    ]
  }()

  @Test func `a different run that takes as long is not called the same`() throws {
    let comparison = Comparison(of: Self.sides, clock: .virtual)
    let page = try page(of: comparison)
    #expect(comparison.rows[1].verdict == .same)
    #expect(page.verdicts == ["baseline", "same makespan, differs at 0ns"])
    let text = try #require(page.texts.first)
    expectAll(told(comparison), in: text)
    #expect(comparison.unmatched.count == 2 && comparison.warnings.count == 1)
    // Side by side.
    let rows = try #require(comparison.divergences.first).divergence.rows
    #expect(page.sides.map { $0[0] as? Bool } == rows.map(\.isDifferent))
    #expect(page.sides.map { $0[1] as? Int64 } == rows.map(\.first?.time))
    #expect(page.sides.map { $0[2] as? Int64 } == rows.map(\.second?.time))
    // The numbers of the table are those of the comparison.
    #expect(page.changes.map { $0[0] as? String } == comparison.steps.map(\.path))
    for (shown, step) in zip(page.changes, comparison.steps) {
      let measures = [step.started, step.duration, step.wait]
      for (times, measure) in zip(shown.dropFirst(), measures) {
        #expect(times as? [Double] == [measure.baseline, measure.candidate].compactMap { $0 })
      }
    }
    // The costs of the runs.
    for words in ["blocked", "0ns", "1.5ms", "findings", "none", "blocked-thread"] {
      #expect(text.contains(words), "\(words)")
    }
  }

  @Test func `each of several rows has its differences`() throws {
    let again = Comparison.Side("again.runs", Self.sides[0].runs, workers: 2)
    let comparison = Comparison(of: Self.sides + [again], clock: .virtual)
    let page = try page(of: comparison)
    #expect(
      page.verdicts == ["baseline", "same makespan, differs at 0ns", "same in every respect"])
    expectAll(told(comparison), in: try #require(page.texts.first))
  }

  /// A baseline that takes no time gives no ratio.
  @Test func `a baseline that takes no time has no ratio`() throws {
    let sides = [Int64(0), 10].map { makespan in
      Comparison.Side(
        "\(makespan)ms", [StepComparisonTests.script([("x", makespan)]).record(name: "job")])
    }
    let comparison = Comparison(of: sides, clock: .virtual)
    #expect(comparison.rows[1].verdict == .slower && comparison.rows[1].ratio == .infinity)
    #expect(comparison.json.contains(#""ratio":null"#))
    let text = try #require(page(of: comparison).texts.first)
    #expect(text.contains("10ms is slower: 10ms against 0ns. It does"), "\(text)")
    expectAll(told(comparison), in: text)
  }

  @Test func `verdicts on the live clock are shown`() throws {
    let before = StepComparisonTests.live([("fetch", 20), ("parse", 9)], 8)
    let after = StepComparisonTests.live([("fetch", 20), ("parse", 30)], 8, seed: 9)
    var comparison = Comparison(
      of: [.init("before", before), .init("after", after)], clock: .live)
    comparison.subject = "job"
    comparison.warnings = ["the runs were made on different machines: <b>8 cores</b> and 2"]
    let page = try page(of: comparison)
    #expect(page.verdicts == ["baseline", "slower"])
    expectAll(told(comparison), in: try #require(page.texts.first))
    #expect(page.changes.contains { $0[0] as? String == "parse" })
  }

  @Test func `equal runs have no picture`() throws {
    let run = ExportSamples.run("serial", AnalysisTests.serial)
    let sides = ["a.runs", "b.runs"].map { Comparison.Side($0, [run.record]) }
    let comparison = Comparison(of: sides, clock: .virtual)
    let page = try page(of: comparison, runs: [run, run])
    #expect(page.typical.isEmpty)
    #expect(page.verdicts == ["baseline", "same in every respect"])
    expectAll(told(comparison), in: try #require(page.texts.first))
  }

  @Test func `an incomplete run is not reported as missing`() throws {
    var torn = Self.sides[1].runs[0]
    torn.isIncomplete = true
    torn.outcome = .unfinished
    var comparison = Comparison(
      of: [.init("a.runs", Self.sides[0].runs), .init("b.runs", [torn])], clock: .virtual)
    comparison.subject = "job"
    let text = try #require(page(of: comparison).texts.first)
    #expect(!text.contains("is only in"), "\(text)")
    let note = try #require(comparison.rows[1].note)
    // The page shows the note in the row, without the name before it.
    expectAll(told(comparison).map { $0 == "b.runs: \(note)" ? note : $0 }, in: text)
  }

  @Test func `a run without any match is reported`() throws {
    var comparison = Comparison(
      of: [.init("a.runs", Self.sides[0].runs), .init("b.runs", [])], clock: .virtual)
    comparison.subject = "job"
    let page = try page(of: comparison)
    #expect(page.texts.first?.contains("“job” is only in a.runs") == true, "\(page.texts)")
  }

  @Test func `the median runs are shown below each other`() throws {
    func run(_ name: String, _ makespans: [Int64]) -> [SavedRun] {
      makespans.map {
        ExportSamples.run(name, StepComparisonTests.script([("fetch", $0), ("parse", 2)]))
      }
    }
    let runs = run("before", [9, 5, 7]) + run("after", [20, 30, 25])
    let sides = [runs.prefix(3), runs.suffix(3)].map {
      Comparison.Side($0[$0.startIndex].name, $0.map(\.record))
    }
    let page = try page(of: Comparison(of: sides, clock: .virtual), runs: runs)
    #expect(page.typical == ["Timeline: fetch 7ms, parse 2ms", "Timeline: fetch 25ms, parse 2ms"])
  }

  /// The heading of a row and the table show the costs of the same run. Here it is not the last run.
  @Test func `costs are those of the runs that are shown`() throws {
    func run(_ name: String, _ makespan: Int64, blocked: Int64, finding: Bool = false) -> SavedRun {
      var run = ExportSamples.run(name, StepComparisonTests.script([("fetch", makespan)]))
      run.record.blocked = .ms(blocked)
      if finding {
        run.record.lints = [LintRecord(rule: "blocked-thread", step: "fetch", message: "why")]
      }
      return run
    }
    let before = [9, 7, 5].map { run("before", $0, blocked: 0) }
    let after = [
      run("after", 20, blocked: 4), run("after", 25, blocked: 6, finding: true),
      run("after", 30, blocked: 8),
    ]
    let comparison = Comparison(
      of: [("before", before), ("after", after)].map { .init($0, $1.map(\.record)) },
      clock: .virtual)
    #expect(comparison.costs.map(\.blocked) == [0, .ms(6)])
    #expect(comparison.costs[1].findings == [.init(rule: "blocked-thread", count: 1)])
    let text = try #require(page(of: comparison, runs: before + after).texts.first)
    #expect(text.contains("thread blocked 6ms, nearest to the median of 3 runs"), "\(text)")
    #expect(text.contains("In the run nearest to its median threads were blocked for 6ms"))
    #expect(!text.contains("8ms"), "\(text)")
    #expect(text.contains("a finding, shown below when after is chosen"), "\(text)")
  }
}
