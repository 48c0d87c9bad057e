import Foundation
import Testing

/// Pictures and pages of runs for users.
@Suite struct ReportTests {
  private static let script =
    "load SerialQueue; job = [ a: sleep 20ms; b: sleep 10ms ]; compare job under serial, serial.semaphore"

  /// The data in a page.
  private func data(of file: String, in home: PlaygroundHome) throws -> [String: Any] {
    let html = try String(contentsOfFile: home.workingFolder + "/" + file, encoding: .utf8)
    let start = try #require(html.firstRange(of: "id=\"data\">"))
    let json = html[start.upperBound...].prefix { _ in true }
    let end = try #require(json.firstRange(of: "</script>"))
    return try #require(
      try JSONSerialization.jsonObject(with: Data(json[..<end.lowerBound].utf8)) as? [String: Any])
  }

  private func names(_ data: [String: Any]) -> [String] {
    (data["runs"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
  }

  @Test func `a report contains every run and comparison`() async throws {
    let home = try PlaygroundHome()
    let script = """
      load SerialQueue; serial { a: sleep 20ms }; serial.semaphore { a: sleep 20ms }
      compare runs 1, 2
      """
    let outcome = try await home.run([
      "eval", script, "--clock", "virtual", "--json", "--report", "a.html",
    ])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.errors.contains("reported 2 runs and 1 comparison to a.html"))
    let data = try data(of: "a.html", in: home)
    /// Objects as bytes that do not depend on the order of their fields.
    func bytes(_ objects: [Any?]) throws -> [Data] {
      try objects.map {
        try JSONSerialization.data(withJSONObject: try #require($0), options: .sortedKeys)
      }
    }
    // The page contains exactly what standard output contains.
    for (list, kind) in [("runs", "run"), ("comparisons", "compare")] {
      let shown = (data[list] as? [[String: Any]] ?? []).map { $0["record"] }
      let printed = try outcome.records(kind).map(\.fields)
      #expect(try bytes(shown) == bytes(printed) && !shown.isEmpty)
    }
    #expect((data["rules"] as? [String: Any])?.keys.contains("blocked-thread") == true)
  }

  @Test func `at the prompt the whole session is reported`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.eval(
      "\(Self.script); value 1; trace export a.html; trace export --format html b", "--clock",
      "virtual")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("reported 3 runs and 1 comparison to a.html"))
    #expect(try names(data(of: "a.html", in: home)).count == 3)
    #expect(try names(data(of: "b", in: home)).count == 3)
  }

  @Test func `two compared files are on one page`() async throws {
    let home = try PlaygroundHome()
    for (file, time) in [("a.runs", "20ms"), ("b.runs", "30ms")] {
      let saved = try await home.eval(
        "load SerialQueue; job = [ a: sleep \(time) ]; serial job", "--clock", "virtual", "--save",
        file)
      #expect(saved.code == 0)
    }
    let outcome = try await home.run(["compare", "a.runs", "b.runs", "--report", "c.html"])
    #expect(outcome.code == 1, "\(outcome)")
    let data = try data(of: "c.html", in: home)
    #expect(names(data) == ["serial job (a.runs)", "serial job (b.runs)"])
    let values = (data["comparisons"] as? [[String: Any]])?.first?["values"] as? [[Int]]
    #expect(values == [[20_000_000], [30_000_000]])
  }

  @Test func `runs that only one file has are on the page too`() async throws {
    let home = try PlaygroundHome()
    for (file, more) in [("a.runs", ""), ("b.runs", "; serial { c: sleep 1ms }")] {
      let saved = try await home.eval(
        "load SerialQueue OperationGraph; serial { a: sleep 1ms }; group { b: sleep 1ms }" + more,
        "--clock", "virtual", "--save", file)
      #expect(saved.code == 0, "\(saved)")
    }
    let outcome = try await home.run(["compare", "a.runs", "b.runs", "--report", "c.html"])
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.output.contains("is only in b.runs"), "\(outcome)")
    let data = try data(of: "c.html", in: home)
    #expect(names(data).count == 5)
    let counts = (data["comparisons"] as? [[String: Any]] ?? []).map { comparison in
      let rows = (comparison["record"] as? [String: Any])?["rows"] as? [[String: Any]]
      return rows?.map { $0["runs"] as? Int }
    }
    #expect(counts.count == 3 && counts.contains([0, 1]), "\(counts)")
  }

  @Test func `a picture shows the last run, or all runs of a file`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.eval(
      "\(Self.script); trace export last.svg; trace export last.png; trace export --format png x",
      "--clock", "virtual", "--save", "all.runs")
    #expect(outcome.code == 0, "\(outcome)")
    let exported = try await home.run(["trace", "export", "all.runs", "all.svg"])
    #expect(exported.code == 0)
    func text(_ file: String) throws -> String {
      try String(contentsOfFile: home.workingFolder + "/" + file, encoding: .utf8)
    }
    #expect(try text("last.svg").ranges(of: ">in flight<").count == 1)
    #expect(try text("all.svg").ranges(of: ">in flight<").count == 2)
    let png = try Data(contentsOf: URL(filePath: home.workingFolder + "/last.png"))
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(try Data(contentsOf: URL(filePath: home.workingFolder + "/x")) == png)
  }
}
