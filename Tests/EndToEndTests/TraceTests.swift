import Foundation
import Testing

/// Runs that are saved, compared, shown and exported.
@Suite struct TraceTests {
  static let script = "load SerialQueue; job = [ a: sleep 20ms; b: sleep 10ms ]; serial job"

  static func save(
    _ script: String, to file: String, in home: PlaygroundHome
  ) async throws {
    let outcome = try await home.eval(script, "--clock", "virtual", "--save", file)
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("to \(file)"))
  }

  static let changes: [(candidate: String, code: Int32, ratio: Double?)] = [
    (script, 0, 1),
    // A slower run, a faster one, and another order in the same time. On the virtual clock any difference counts.
    (script.replacing("20ms", with: "40ms"), 1, 5.0 / 3),
    (script.replacing("20ms", with: "5ms"), 1, 0.5),
    (script.replacing("a: sleep 20ms; b: sleep 10ms", with: "b: sleep 10ms; a: sleep 20ms"), 1, 1),
    // Runs with another name cannot be compared.
    ("value 1", 1, nil),
  ]

  @Test(arguments: changes)
  func `saved runs are compared`(candidate: String, code: Int32, ratio: Double?) async throws {
    let home = try PlaygroundHome()
    try await Self.save(Self.script, to: "a.runs", in: home)
    try await Self.save(candidate, to: "b.runs", in: home)
    let outcome = try await home.run(["compare", "a.runs", "b.runs", "--json"])
    #expect(outcome.code == code, "\(outcome)")
    let rows = try outcome.records("compare").first?.objects("rows")
    #expect(rows?.last?["ratio"] as? Double == ratio)
  }

  @Test func `several runs of one name are its sample`() async throws {
    let home = try PlaygroundHome()
    try await Self.save("set runs 3; \(Self.script)", to: "a.runs", in: home)
    let outcome = try await home.run(["compare", "a.runs", "a.runs", "--json"])
    #expect(outcome.code == 0)
    let rows = try outcome.records("compare").first?.objects("rows") ?? []
    #expect(rows.map { $0.integer("runs") } == [3, 3])
    #expect(rows.map { $0.string("verdict") } == ["baseline", "same"])
  }

  @Test func `warm-ups belong to no sample`() async throws {
    let home = try PlaygroundHome()
    let made = try await home.eval(
      "load SerialQueue; compare [ a: value 1 ] under serial, serial.chain runs 6", "--save",
      "a.runs")
    #expect(made.code == 0, "\(made)")
    let saved = try String(contentsOfFile: home.workingFolder + "/a.runs", encoding: .utf8)
    #expect(saved.ranges(of: "\"warm_up\":true").count == 2)
    let outcome = try await home.run(["compare", "a.runs", "a.runs", "--json"])
    for record in try outcome.records("compare") {
      #expect(record.objects("rows").map { $0.integer("runs") } == [6, 6], "\(outcome)")
    }
  }

  @Test(arguments: ["a.runs", "./a.runs", "linked.runs"])
  func `the file that is read is not overwritten`(output: String) async throws {
    let home = try PlaygroundHome()
    try await Self.save(Self.script, to: "a.runs", in: home)
    let path = home.workingFolder + "/a.runs"
    try FileManager.default.createSymbolicLink(
      atPath: home.workingFolder + "/linked.runs", withDestinationPath: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let outcome = try await home.run(["trace", "export", "a.runs", output])
    #expect(outcome.code != 0 && outcome.errors.contains("is the file to read"), "\(outcome)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func `a step with the earliest possible start is analysed`() async throws {
    let home = try PlaygroundHome()
    try await Self.save(Self.script, to: "a.runs", in: home)
    let path = home.workingFolder + "/a.runs"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let least = "\(Int64.min)"
    try text.replacing(/"started_ns":[0-9]+/, with: "\"started_ns\":\(least)")
      .replacing(/"submitted_ns":[0-9]+/, with: "\"submitted_ns\":1")
      .write(toFile: path, atomically: true, encoding: .utf8)
    for arguments in [["analyse", "a.runs"], ["why", "a.runs", "a"], ["lint", "a.runs"]] {
      let outcome = try await home.run(["trace"] + arguments)
      #expect(outcome.code == 0, "\(arguments) \(outcome)")
    }
  }

  @Test func `a saved run is shown as it ran`() async throws {
    let home = try PlaygroundHome()
    let made = try await home.records(Self.script, "--save", "a.runs")
    let shown = try await home.run(["trace", "show", "a.runs", "--json"])
    #expect(shown.code == 0)
    #expect(shown.output == made.output)
    #expect(shown.errors.contains("critical path: a → b"))
    let analysed = try await home.run(["trace", "analyse", "a.runs"])
    #expect(analysed.code == 0 && analysed.output.contains("* job/b"))
  }

  @Test func `lint finds the faults of a run`() async throws {
    let home = try PlaygroundHome()
    try await Self.save(Self.script, to: "good.runs", in: home)
    try await Self.save("value 1; twice 1ms", to: "bad.runs", in: home)
    #expect(try await home.run(["trace", "lint", "good.runs"]).code == 0)
    let bad = try await home.run(["trace", "lint", "bad.runs"])
    #expect(bad.code == 1)
    #expect(bad.output.contains("completed-twice"))
  }

  @Test func `the export is JSON that contains every step`() async throws {
    let home = try PlaygroundHome()
    try await Self.save(Self.script, to: "a.runs", in: home)
    let plain = try await home.run(["trace", "export", "--format", "chrome", "a.runs"])
    let lines = try await home.run(["trace", "export", "a.runs", "--json"])
    let named = try await home.run(["trace", "export", "a.runs", "--output", "a.json"])
    #expect([plain.code, lines.code, named.code] == [0, 0, 0])
    #expect(try lines.records().count == 1, "JSON Lines: one document, one line")
    let file = try String(contentsOfFile: home.workingFolder + "/a.json", encoding: .utf8)
    for text in [plain.output, lines.output, file] {
      let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      let events = document?["traceEvents"] as? [[String: Any]] ?? []
      let steps = events.filter { $0["ph"] as? String == "X" }
      #expect(steps.compactMap { $0["name"] as? String } == ["serial", "a", "b"])
      #expect(steps.compactMap { $0["dur"] as? Double } == [30_000, 20_000, 10_000])
    }
  }

  /// The extension of the file or the option determines the format.
  @Test(
    arguments: [
      ("a.csv", [], "run,name,clock,label"), ("a.dot", [], "digraph {"),
      ("a.mmd", [], "flowchart LR"), ("a.speedscope.json", [], "displayTimeUnit"),
      ("a.otlp.json", [], "resourceSpans"), ("a.json", [], "displayTimeUnit"),
      ("a.svg", [], "<svg"), ("a.html", [], "<!doctype html>"),
      ("a.txt", ["--format", "csv"], "run,name,clock,label"),
    ] as [(String, [String], String)])
  func `each format is written`(file: String, options: [String], beginning: String) async throws {
    let home = try PlaygroundHome()
    try await Self.save(Self.script, to: "a.runs", in: home)
    let outcome = try await home.run(["trace", "export", "a.runs", file] + options)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output == "exported 1 run to \(file)\n")
    let written = try String(contentsOfFile: home.workingFolder + "/" + file, encoding: .utf8)
    #expect(written.prefix(1000).contains(beginning))
    let prompt = try await home.eval(
      "\(Self.script); trace export \(options.joined(separator: " ")) b-\(file)", "--clock",
      "virtual")
    #expect(prompt.code == 0, "\(prompt)")
    #expect(prompt.output.contains("ported 1 run to b-\(file)\n"))
    let again = try String(contentsOfFile: home.workingFolder + "/b-" + file, encoding: .utf8)
    #expect(again.prefix(1000).contains(beginning))
  }

  @Test func `the commands of a session do the same`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.eval(
      """
      \(Self.script)
      trace save kept.runs
      trace show kept.runs
      trace lint
      trace analyse
      trace export --format chrome last.json
      """, "--clock", "virtual")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.ranges(of: "critical path: a → b").count == 2)
    #expect(FileManager.default.fileExists(atPath: home.workingFolder + "/last.json"))
  }

  @Test(
    arguments: [
      ("1", ["serial job"]), ("3", ["value 7"]), ("serial", ["serial job", "serial job"]),
      ("serial job", ["serial job", "serial job"]), ("value", ["value 7"]),
    ])
  func `a run is selected by number, name or pattern`(run: String, names: [String]) async throws {
    let home = try PlaygroundHome()
    try await Self.save("\(Self.script); serial job; value 7", to: "a.runs", in: home)
    for action in ["show", "analyse", "lint"] {
      let outcome = try await home.run(["trace", action, "a.runs", "--run", run, "--json"])
      #expect(try outcome.records("run").map { $0.string("name") } == names, "\(outcome)")
    }
    let exported = try await home.run(["trace", "export", "a.runs", "b.svg", "--run", run])
    #expect(exported.code == 0 && exported.output.contains("exported \(names.count) run"))
    let prompt = try await home.eval(
      "\(Self.script); serial job; value 7; trace export --run \"\(run)\" b.html", "--clock",
      "virtual")
    #expect(prompt.output.contains("exported \(names.count) run"), "\(prompt)")
  }

  @Test(
    arguments: [
      ("show", "--lanes"), ("analyse", "--run"), ("why", "<step>"), ("lint", "Exits with 1"),
      ("export", "--format"), ("import", "Chrome"),
    ])
  func `the help of each action shows its arguments`(action: String, has: String) async throws {
    let outcome = try await PlaygroundHome().run(["trace", action, "--help"])
    #expect(outcome.code == 0 && outcome.output.contains(has), "\(outcome)")
    #expect(outcome.output.contains("--format") == (action == "export"))
    let all = try await PlaygroundHome().run(["trace", "--help"])
    #expect(all.code == 0 && all.output.contains("  \(action) ") && !all.output.contains("unknown"))
  }

  @Test func `a torn file is read up to its last whole line`() async throws {
    let home = try PlaygroundHome()
    try await Self.save("value 1; value 2", to: "a.runs", in: home)
    let file = home.workingFolder + "/a.runs"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.dropLast(8).write(toFile: file, atomically: true, encoding: .utf8)
    let cut = try await home.run(["trace", "show", "a.runs", "--json"])
    let runs = try cut.records("run")
    #expect(runs.map { $0.string("outcome") } == ["success", "unfinished"], "\(cut)")
    #expect(runs.last?.objects("steps").map { $0.string("label") } == ["value"], "\(cut)")
    #expect(cut.errors.contains("error: The program ended during this run."), "\(cut)")
    // A line that lacks only its newline is whole.
    try text.dropLast().write(toFile: file, atomically: true, encoding: .utf8)
    let whole = try await home.run(["trace", "show", "a.runs", "--json"])
    #expect(try whole.records("run").map { $0.integer("value") } == [1, 2], "\(whole)")
  }

  @Test func `a broken line is an error that names file and line`() async throws {
    let home = try PlaygroundHome()
    try await Self.save("value 1", to: "a.runs", in: home)
    let file = home.workingFolder + "/a.runs"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacing("\"e\":\"started\"", with: "\"e\":\"landed\"")
      .write(toFile: file, atomically: true, encoding: .utf8)
    for arguments in [["trace", "show", "a.runs"], ["compare", "a.runs", "a.runs"]] {
      let outcome = try await home.run(arguments)
      #expect(outcome.code == 2 && outcome.errors.contains("a.runs, line 4: "), "\(outcome)")
      #expect(outcome.errors.contains("Remove the line, or save the runs again"), "\(outcome)")
    }
    let simulated = try await home.eval("simulate a.runs")
    #expect(simulated.errors.contains("“a.runs” cannot be simulated: line 4: "), "\(simulated)")
  }
}
