import Foundation
import Testing
import TimingTrace

/// The exports follow the rules in the definition of each format, and their numbers are those of the JSON.
@Suite struct FormatRuleTests {
  typealias Object = [String: Any]

  private func object(_ format: TraceFormat, startingAt start: Int64 = 0) throws -> Object {
    let text = format.text(of: ExportSamples.runs, startingAt: start)
    return try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
  }

  @Test(arguments: TraceFormat.allCases)
  func `the same runs give the same bytes`(format: TraceFormat) {
    #expect(format.text(of: ExportSamples.runs) == format.text(of: ExportSamples.runs))
  }

  /// Speedscope opens Chrome traces.
  @Test func `Speedscope gets a Chrome trace`() throws {
    let runs = ExportSamples.runs
    #expect(TraceFormat.speedscope.text(of: runs) == TraceFormat.chrome.text(of: runs))
  }

  /// `trace.proto`, in its JSON mapping.
  @Test func `an OpenTelemetry export follows the definition of OTLP`() throws {
    let start: Int64 = 1_700_000_000_000_000_123
    let resources = try #require(
      try object(.otlp, startingAt: start)["resourceSpans"] as? [Object])
    #expect(resources.count == ExportSamples.runs.count)
    var traces: Set<String> = []
    for (resource, run) in zip(resources, ExportSamples.runs) {
      let scopes = try #require(resource["scopeSpans"] as? [Object])
      let spans = try #require(scopes.first?["spans"] as? [Object])
      let identities = spans.map { $0["spanId"] as? String ?? "" }
      #expect(Set(identities).count == spans.count)
      var links = 0
      for span in spans {
        let trace = try #require(span["traceId"] as? String)
        traces.insert(trace)
        #expect(trace.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        let identity = try #require(span["spanId"] as? String)
        #expect(identity.wholeMatch(of: /[0-9a-f]{16}/) != nil)
        if let parent = span["parentSpanId"] as? String { #expect(identities.contains(parent)) }
        #expect(span["kind"] as? Int == 1)
        let status = try #require(span["status"] as? Object)
        #expect([nil, 1, 2].contains(status["code"] as? Int))
        let begin = try #require(Int64(span["startTimeUnixNano"] as? String ?? ""))
        let end = try #require(Int64(span["endTimeUnixNano"] as? String ?? ""))
        #expect(begin <= end)
        for link in span["links"] as? [Object] ?? [] {
          links += 1
          #expect(identities.contains(link["spanId"] as? String ?? ""))
          #expect(link["traceId"] as? String == trace)
        }
        let path = attribute("step.path", of: span)
        if let step = run.record.steps.first(where: { $0.path == path }) {
          #expect(begin - start == step.started ?? step.submitted)
          if let finished = step.finished { #expect(end - start == finished) }
          #expect(attribute("step.outcome", of: span) == step.outcome.rawValue)
          #expect(attribute("step.lane", of: span) == step.lane)
          #expect(attribute("step.work_ns", of: span) == "\(step.work)")
          #expect(attribute("step.blocked_ns", of: span) == "\(step.blocked)")
          #expect((status["code"] as? Int == 2) == (step.outcome == .failure))
        }
      }
      #expect(links == run.record.edges.count)
    }
    #expect(traces.count == ExportSamples.runs.count - 1, "a trace each, but for the empty run")
  }

  private func attribute(_ name: String, of span: Object) -> String? {
    let attributes = span["attributes"] as? [Object] ?? []
    let value = attributes.first { $0["key"] as? String == name }?["value"] as? Object
    return value?["stringValue"] as? String ?? value?["intValue"] as? String
  }

  /// RFC 4180.
  @Test func `a CSV export follows RFC 4180`() throws {
    let rows = CSVReader.rows(of: TraceFormat.csv.text(of: ExportSamples.runs))
    let columns = try #require(rows.first)
    #expect(rows.allSatisfy { $0.count == columns.count })
    let steps = ExportSamples.runs.flatMap(\.record.steps)
    #expect(rows.count == steps.count + 1)
    for (row, step) in zip(rows.dropFirst(), steps) {
      let row = Dictionary(uniqueKeysWithValues: zip(columns, row))
      #expect(row["label"] == step.label)
      #expect(row["path"] == step.path)
      #expect(row["submitted_ns"] == "\(step.submitted)")
      #expect(row["started_ns"] == step.started.map(String.init) ?? "")
      #expect(row["finished_ns"] == step.finished.map(String.init) ?? "")
      #expect(row["lane"] == step.lane ?? "")
      #expect(row["outcome"] == step.outcome.rawValue)
      #expect(row["error"] == step.error ?? "")
      #expect(row["work_ns"] == "\(step.work)")
      #expect(row["blocked_ns"] == "\(step.blocked)")
      #expect(row["critical"] == "\(step.isCritical)")
    }
  }

  @Test(arguments: [
    ("=1+1", "'=1+1"), ("=2", "'=2"), ("+a", "'+a"), ("-x\"y\"", "'-x\"y\""),
    ("@SUM(1)", "'@SUM(1)"),
    ("\t=1", "'\t=1"), ("\r=1", "'\r=1"), ("-", "'-"), ("-1.5ms", "'-1.5ms"),
    ("-1", "-1"), ("+2.5", "+2.5"), ("a=b", "a=b"), ("'a", "'a"), ("1", "1"),
  ])
  func `no cell of a CSV export is a formula`(label: String, cell: String) throws {
    var script = EventScript()
    script.submit("a", "value", label: label, at: 0)
    script.start("a", at: 0)
    script.finish("a", .failure, error: label, at: 1)
    let rows = CSVReader.rows(of: TraceFormat.csv.text(of: [ExportSamples.run(label, script)]))
    try #require(rows.count == 2)
    let row = Dictionary(uniqueKeysWithValues: zip(rows[0], rows[1]))
    for column in ["name", "label", "error"] { #expect(row[column] == cell, "\(column)") }
  }

  @Test func `a Mermaid export is a well-formed flow chart`() throws {
    let text = TraceFormat.mermaid.text(of: ExportSamples.runs)
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(lines.first == "flowchart LR")
    #expect(
      lines.count { $0.hasPrefix("subgraph ") } == lines.count { $0 == "end" })
    let arrows = lines.filter { $0.contains(" --> ") || $0.contains("==>") || $0.contains(".->") }
    #expect(arrows.count == ExportSamples.runs.map(\.record.edges.count).reduce(0, +))
    let boxes = lines.filter { $0.contains("[\"") && !$0.hasPrefix("subgraph") }
    let known = Set(boxes.map { $0.prefix { $0.isLetter || $0.isNumber } })
    for arrow in arrows {
      let parts = arrow.split(separator: " ")
      #expect(known.contains(parts[0]) && known.contains(parts[parts.count - 1]), "\(arrow)")
    }
    // Characters with a special meaning only occur in text as their numeric entity.
    for box in boxes {
      let label = box.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }
      #expect(!label.replacing("<br/>", with: "").contains { "<>&{}[]()|%\\`".contains($0) })
    }
  }

  @Test(
    arguments: [
      ("a.csv", .csv), ("A.DOT", .dot), ("x/y.gv", .dot), ("m.mmd", .mermaid),
      ("p.speedscope.json", .speedscope), ("p.otlp.json", .otlp), ("p.trace.json", .chrome),
      ("s.svg", .svg), ("R.HTML", .html), ("r.htm", .html), ("p.json", nil), ("p", nil),
      ("csv", nil),
    ] as [(String, TraceFormat?)])
  func `the file extension determines the format`(name: String, format: TraceFormat?) {
    #expect(TraceFormat(fileName: name) == format)
  }

  @Test(arguments: TraceFormat.allCases)
  func `the written pieces make up the whole text`(format: TraceFormat) throws {
    // The text of these runs is longer than any piece.
    let runs = Array(repeating: ExportSamples.runs[1], count: 8)
    var pieces: [[UInt8]] = []
    try format.write(runs) { pieces.append(Array($0)) }
    #expect(String(decoding: pieces.joined(), as: UTF8.self) == format.text(of: runs))
    struct Full: Error {}
    var count = 0
    #expect(throws: Full.self) {
      try format.write(runs) { _ in
        count += 1
        throw Full()
      }
    }
    #expect(count == 1)
    #expect(throws: SavedRunsError.self) { try format.write(runs, toFile: "/nowhere/at/all") }
  }
}

/// The fields of comma-separated values.
private enum CSVReader {
  static func rows(of text: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var field = ""
    var isQuoted = false
    var rest = Substring(text)
    while let character = rest.popFirst() {
      switch character {
      case "\"" where isQuoted && rest.first == "\"":
        rest.removeFirst()
        field.append(character)
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        row.append(field)
        field = ""
      case "\n" where !isQuoted:
        rows.append(row + [field])
        (row, field) = ([], "")
      default: field.append(character)
      }
    }
    return rows
  }
}
