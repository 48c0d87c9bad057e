import Foundation
import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

@Suite struct HTMLReportTests {
  private typealias Object = [String: Any]

  /// The data of a page, read by an independent parser.
  private func data(of report: HTMLReport) throws -> Object {
    let html = report.html
    let start = try #require(html.firstRange(of: "<script type=\"application/json\" id=\"data\">"))
    let rest = html[start.upperBound...]
    let end = try #require(rest.firstRange(of: "</script>"))
    let json = rest[..<end.lowerBound]
    return try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? Object)
  }

  /// An object as bytes that do not depend on the order of its fields.
  private func bytes(_ object: Any?) throws -> Data {
    try JSONSerialization.data(withJSONObject: try #require(object), options: .sortedKeys)
  }

  private func bytes(ofJSON json: String) throws -> Data {
    try bytes(try JSONSerialization.jsonObject(with: Data(json.utf8)))
  }

  private static let comparison = Comparison(
    [Sample("<a>", [10, 20, 30, 40, 50, 60]), Sample("b", [12, 22, 32, 42, 52, 62])], clock: .live)

  @Test func `records and comparisons are those of the JSON output`() throws {
    let runs = ExportSamples.runs + [ManySteps.hostileRun]
    let data = try data(of: HTMLReport(runs: runs, comparisons: [Self.comparison]))
    let shown = try #require(data["runs"] as? [Object])
    #expect(shown.count == runs.count)
    for (run, shown) in zip(runs, shown) {
      #expect(try bytes(shown["record"]) == bytes(ofJSON: run.record.json))
      #expect(shown["name"] as? String == run.name)
      #expect((shown["slack_ns"] as? [Any])?.count == run.record.steps.count)
      #expect((shown["waited_for"] as? [Any])?.count == run.record.steps.count)
      let path = (shown["chain"] as? [Object] ?? []).compactMap { $0["step"] as? Int }
      #expect(path.map { run.record.steps[$0].label } == run.record.criticalPath)
    }
    let compared = try #require((data["comparisons"] as? [Object])?.first)
    #expect(try bytes(compared["record"]) == bytes(ofJSON: Self.comparison.json))
    #expect(
      compared["values"] as? [[Int]] == Self.comparison.rows.map { $0.values.map { Int($0) } })
  }

  @Test func `the lanes are those of the run`() throws {
    for run in ExportSamples.runs {
      let shown = try #require(try data(of: HTMLReport(runs: [run]))["runs"] as? [Object])
      let lanes = shown[0]["lanes"] as? [Object] ?? []
      let expected = LaneTimeline(run).lanes
      #expect(lanes.map { $0["lane"] as? String } == expected.map(\.use.lane))
      #expect(lanes.map { $0["work_ns"] as? Int64 } == expected.map(\.use.work))
      #expect(lanes.map { $0["blocked_ns"] as? Int64 } == expected.map(\.use.blocked))
      #expect(lanes.map { $0["idle_ns"] as? Int64 } == expected.map(\.use.idle))
      expectSame(lanes, TimelineRows(LaneTimeline(run), height: .max).rows)
    }
  }

  @Test func `the rows are those of the other pictures`() throws {
    let happened = [
      ExportSamples.run("retry", HappeningsTests.retry),
      ExportSamples.run("timeout", HappeningsTests.timeout(end: 40)),
    ]
    for run in ExportSamples.runs + happened {
      let shown = try #require(try data(of: HTMLReport(runs: [run]))["runs"] as? [Object])
      let rows = TimelineRows(run.record, height: .max, findings: HTMLReport.mostFindings)
      expectSame(shown[0]["rows"] as? [Object] ?? [], rows.rows)
      let arrows = shown[0]["arrows"] as? [Object] ?? []
      #expect(arrows.map { $0["from_row"] as? Int } == rows.arrows.map(\.from))
      #expect(arrows.map { $0["to_row"] as? Int } == rows.arrows.map(\.to))
      #expect(arrows.map { $0["reason"] as? String } == rows.arrows.map(\.reason.words))
      #expect(arrows.map { $0["end_ns"] as? Int64 } == rows.arrows.map(\.end))
      #expect(arrows.map { $0["start_ns"] as? Int64 } == rows.arrows.map(\.start))
    }
    // The runs contain examples of what is compared.
    let rows = (ExportSamples.runs + happened).flatMap { run in
      TimelineRows(run.record, height: .max, findings: HTMLReport.mostFindings).rows
    }
    #expect(rows.contains { $0.depth > 0 } && rows.contains(where: \.isCritical))
    #expect(rows.contains { !$0.findings.isEmpty })
    #expect(rows.contains { row in row.marks.contains { $0.kind == .timeout } })
    let data = try data(of: HTMLReport(runs: []))
    #expect(data["most_findings"] as? Int == HTMLReport.mostFindings)
  }

  private func expectSame(_ shown: [Object], _ rows: [TimelineRow]) {
    #expect(shown.map { $0["label"] as? String } == rows.map(\.label))
    #expect(shown.map { $0["note"] as? String } == rows.map(\.note))
    #expect(shown.map { $0["depth"] as? Int } == rows.map(\.depth))
    #expect(shown.map { $0["ink"] as? String } == rows.map(\.ink.rawValue))
    #expect(shown.map { $0["critical"] as? Bool ?? false } == rows.map(\.isCritical))
    #expect(shown.map { $0["step"] as? Int } == rows.map(\.steps.first))
    let stretches = shown.map { row in
      (row["stretches"] as? [[Any]] ?? []).map { $0.map { "\($0)" }.joined(separator: " ") }
    }
    // Stretches that cover others come last.
    let kinds: [(TimelineRow.Kind, String)] = [
      (.wait, "wait"), (.delay, "delay"), (.run, "run"), (.cancelled, "cancelled"),
      (.keptRunning, "kept-running"), (.blocked, "blocked"),
    ]
    let expected = rows.map { row in
      kinds.flatMap { kind, name in
        row.stretches.all.filter { $0.kind == kind }.map { stretch in
          "\(name) \(stretch.from) \(stretch.to)" + (stretch.caption.map { " \($0)" } ?? "")
        }
      }
    }
    #expect(stretches == expected)
    let timeouts = rows.map { row in row.marks.filter { $0.kind == .timeout }.map(\.time) }
    #expect(shown.map { $0["timeouts"] as? [Int64] ?? [] } == timeouts)
    let findings = rows.map { row in
      row.marks.compactMap { mark -> [Int64]? in
        guard case .finding(let number) = mark.kind else { return nil }
        return [Int64(number), mark.time]
      }
    }
    #expect(shown.map { $0["findings"] as? [[Int64]] ?? [] } == findings)
  }

  @Test func `the counter lines are those of other pictures`() throws {
    for script in [CounterTests.fade, CounterTests.sideBySide, ExportSamples.awkward] {
      let run = ExportSamples.run("counters", script)
      let shown = try #require(try data(of: HTMLReport(runs: [run]))["runs"] as? [Object])
      let lines = shown[0]["counter_lines"] as? [Object] ?? []
      let expected = CounterLine.lines(of: run.record.counters)
      #expect(!expected.isEmpty && lines.map { $0["title"] as? String } == expected.map(\.title))
      #expect(lines.map { $0["counters"] as? [Int] } == expected.map(\.counters))
    }
  }

  @Test func `a comparison names its typical runs`() throws {
    let runs = [("a", 3), ("b", 5), ("b", 9), ("b", 6)].map { name, time in
      ExportSamples.run(name, StepComparisonTests.script([("x", Int64(time))]))
    }
    let alike = ExportSamples.run("a", StepComparisonTests.script([("x", 3)]))
    let comparison = Comparison(
      of: [
        .init("a", [runs[0].record]), .init("b", runs.dropFirst().map(\.record)),
        .init("again", [alike.record]), .init("none", []),
      ], clock: .virtual)
    let data = try data(of: HTMLReport(runs: runs + [alike], comparisons: [comparison]))
    let compared = try #require((data["comparisons"] as? [Object])?.first)
    let typical = try #require(compared["typical"] as? [Any])
    #expect(typical.map { $0 as? Int } == [0, 3, 4, nil])
  }

  @Test func `text of a run is not markup`() {
    let html = HTMLReport(runs: [ManySteps.hostileRun]).html
    #expect(html.ranges(of: "<script").count == 2)
    #expect(html.ranges(of: "</script>").count == 2)
    #expect(!html.contains("<!--") && !html.contains("<img"))
  }

  @Test func `the page loads nothing from elsewhere`() {
    let html = HTMLReport(runs: ExportSamples.runs).html
    #expect(html.hasPrefix("<!doctype html>"))
    #expect(html.contains("default-src 'none'"))
    #expect(html.contains("width=device-width"))
    for word in ["http:", "https:", " src=", "<link", "@import", "url("] {
      #expect(!html.contains(word), "\(word)")
    }
  }

  @Test func `the same runs give the same bytes`() {
    let report = HTMLReport(runs: ExportSamples.runs, comparisons: [Self.comparison])
    #expect(report.html == report.html)
    #expect(
      TraceFormat.html.text(of: ExportSamples.runs) == HTMLReport(runs: ExportSamples.runs).html)
  }

  @Test func `seeds keep all their digits`() throws {
    var run = ExportSamples.run("serial", AnalysisTests.serial)
    run.record.seed = .max
    let shown = try data(of: HTMLReport(runs: [run]))["runs"] as? [Object]
    #expect(shown?.first?["seed"] as? String == "18446744073709551615")
  }

  @Test func `rules are explained`() throws {
    var run = ExportSamples.run("serial", AnalysisTests.serial)
    run.record.lints = [
      LintRecord(rule: "blocked-thread", step: "a", message: "why; how not to"),
      LintRecord(rule: "of-another-program", step: "a", message: "why"),
    ]
    let rules = try data(of: HTMLReport(runs: [run]))["rules"] as? [String: Object]
    #expect(rules?.keys.sorted() == ["blocked-thread"])
  }

  @Test func `repetitions are left out if there are too many`() throws {
    let step = StepRecord(label: "a", pattern: "sleep", submitted: 0)
    var record = RunRecord(name: "many", pattern: "group", clock: .live, outcome: .success)
    record.steps = Array(repeating: step, count: 60_000)
    let many = SavedRun(name: "many", source: "", composition: "", record: record, events: [])
    let last = ExportSamples.run("last", AnalysisTests.serial)
    #expect(HTMLReport(runs: Array(repeating: many, count: 6) + [last]).shown == [0, 1, 2, 3, 6])
    let data = try data(of: HTMLReport(runs: [ExportSamples.runs[0]]))
    #expect(data["left_out"] as? Int == 0)
  }

  @Test func `a page replaces the old one`() throws {
    let path = NSTemporaryDirectory() + "report-\(UUID().uuidString).html"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("old".utf8).write(to: URL(filePath: path))
    let report = HTMLReport(runs: ExportSamples.runs)
    try report.write(toFile: path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == report.html)
    #expect(throws: SavedRunsError.self) { try report.write(toFile: "/nowhere/at/all.html") }
  }
}
