import Foundation
import Testing

/// Comparisons of saved runs of two compositions, or of two machines.
@Suite struct ComparedFilesTests {
  private static let load = "load SerialQueue OperationGraph; "

  private static func save(
    _ script: String, to file: String, in home: PlaygroundHome, _ options: String...
  ) async throws {
    let outcome = try await home.run(
      ["--clock", "virtual", "--save", file] + options + ["eval", load + script])
    #expect(outcome.code == 0, "\(outcome)")
  }

  private static func renamed(in home: PlaygroundHome) async throws {
    try await save(
      "job = [ fetch: sleep 20ms; parse: sleep 5ms; store: sleep 10ms ]; serial job", to: "a.runs",
      in: home)
    try await save(
      "job = [ fetch: sleep 25ms; read: sleep 5ms; store: sleep 10ms ]; graph job", to: "b.runs",
      in: home)
  }

  @Test func `compositions that differ are matched by label path`() async throws {
    let home = try PlaygroundHome()
    try await Self.renamed(in: home)
    let outcome = try await home.run(["compare", "a.runs", "b.runs", "--json"])
    #expect(outcome.code == 1, "\(outcome)")
    let record = try #require(outcome.records("compare").first)
    #expect(record.string("name") == "serial job → graph job")
    let steps = record.objects("steps")
    #expect(steps.map { $0.string("path") } == ["job/store", "job/fetch"], "\(outcome)")
    let alone = record.objects("unmatched")
    #expect(alone.map { $0.string("path") } == ["job/parse", "job/read"])
    #expect(alone.map { $0.string("in") } == ["a.runs", "b.runs"])
    let divergence = try #require(record.objects("divergence").first)
    #expect(divergence.string("name") == "b.runs")
    #expect(divergence.objects("sides").contains { $0["differs"] as? Bool == true })
  }

  /// The runs of `compare` are named after the pattern alone. Only runs with the same list belong to one sample.
  @Test func `two lists under one pattern are separate samples`() async throws {
    let home = try PlaygroundHome()
    let lists = "job = [ a: sleep 1ms ]; compare job under serial, group; "
    try await Self.save(
      lists + "compare [ x: sleep 5ms; y: sleep 2ms ] under serial, group", to: "a.runs", in: home)
    try await Self.save(
      lists + "compare [ x: sleep 5ms; z: sleep 2ms ] under serial, group", to: "b.runs", in: home)
    let outcome = try await home.run(["compare", "a.runs", "b.runs", "--json"])
    #expect(outcome.code == 1, "\(outcome)")
    let records = try outcome.records("compare")
    #expect(
      records.map { $0.string("name") } == [
        "serial job", "group job",
        "serial [ x: sleep 5ms; y: sleep 2ms ] → serial [ x: sleep 5ms; z: sleep 2ms ]",
        "group [ x: sleep 5ms; y: sleep 2ms ] → group [ x: sleep 5ms; z: sleep 2ms ]",
      ])
    #expect(
      records.map { $0.objects("rows").map { $0.integer("runs") } }
        == Array(repeating: [1, 1], count: 4))
    #expect(
      records[2].objects("unmatched").map { $0.string("path") } == ["y", "z"], "\(records[2])")
  }

  @Test func `runs of a name that was bound to another list are separate`() async throws {
    let outcome = try await PlaygroundHome().eval(
      Self.load + """
        job = [ a: sleep 1ms ]
        serial job
        job = [ b: sleep 2ms ]
        serial job
        serial job
        compare runs 1, 2, 3
        """, "--clock", "virtual", "--json")
    let rows = try #require(try outcome.records("compare").first).objects("rows")
    #expect(
      rows.map { $0.string("name") } == [
        "serial job (run 1)", "serial job (run 2)", "serial job (run 3)",
      ])
  }

  @Test func `the first difference is shown side by side`() async throws {
    let home = try PlaygroundHome()
    try await Self.save("serial { a: sleep 20ms; b: sleep 5ms }", to: "a.runs", in: home)
    try await Self.save("serial { a: sleep 25ms; b: sleep 5ms }", to: "b.runs", in: home)
    for (locale, bar, sign) in [("C.UTF-8", "│", "≠"), ("C", "|", "!")] {
      let outcome = try await home.run(
        ["compare", "a.runs", "b.runs", "--set", "width=60"], environment: ["LANG": locale])
      #expect(outcome.code == 1)
      let line = outcome.output.split(separator: "\n").first { $0.hasPrefix(sign) }
      let sides = try #require(line, "\(outcome)").components(separatedBy: bar)
      #expect(sides.count == 2)
      #expect(sides[0].contains("20ms  finished a"), "\(outcome)")
      #expect(sides.last?.contains("25ms  finished a") == true, "\(outcome)")
      let rows = outcome.output.split(separator: "\n").filter { $0.contains(bar) }
      #expect(rows.allSatisfy { $0.count <= 60 }, "\(outcome)")
    }
  }

  @Test func `another machine or number of workers gives a warning`() async throws {
    let home = try PlaygroundHome()
    try await Self.save("group { a: work 1ms }", to: "a.runs", in: home, "--workers", "2")
    try await Self.save("group { a: work 1ms }", to: "b.runs", in: home, "--workers", "3")
    let path = home.workingFolder + "/b.runs"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing(/"build":"[a-z]*"/, with: "\"build\":\"strange\"")
      .write(toFile: path, atomically: true, encoding: .utf8)
    let outcome = try await home.run(["compare", "a.runs", "b.runs", "--json"])
    #expect(outcome.code == 0, "\(outcome)")
    let record = try #require(outcome.records("compare").first)
    let warnings = record.strings("warnings") ?? []
    #expect(warnings.count == 2, "\(outcome)")
    #expect(warnings.first?.contains("a strange build against a ") == true, "\(outcome)")
    #expect(warnings.last == "a.runs ran on 2 workers and b.runs on 3")
    #expect(outcome.errors.contains("warning: the runs were made on different machines"))
  }

  @Test func `a run without a counterpart has a record`() async throws {
    let home = try PlaygroundHome()
    try await Self.save("value 1", to: "a.runs", in: home)
    try await Self.save("group { a: sleep 1ms }", to: "b.runs", in: home)
    let outcome = try await home.run(["compare", "a.runs", "b.runs", "--json"])
    #expect(outcome.code == 1)
    let rows = try outcome.records("compare").map { $0.objects("rows").map { $0.integer("runs") } }
    #expect(rows == [[1, 0], [0, 1]], "\(outcome)")
  }

  @Test func `files with nothing to compare are not a success`() async throws {
    let home = try PlaygroundHome()
    for (script, file) in [("a = value 1; a", "a.runs"), ("group { x: sleep 1ms }", "b.runs")] {
      let made = try await home.run(["--save", file, "eval", "load OperationGraph; \(script)"])
      #expect(made.code == 0, "\(made)")
    }
    let folder = home.workingFolder + "/"
    let text = try String(contentsOfFile: folder + "a.runs", encoding: .utf8)
    try (text.prefix { $0 != "\n" } + "\n").write(
      toFile: folder + "none.runs", atomically: true, encoding: .utf8)
    let readers = [
      ["compare", "a.runs", "none.runs"], ["compare", "none.runs", "a.runs"],
      ["trace", "show", "none.runs"], ["trace", "lint", "none.runs"],
      ["trace", "export", "none.runs", "-o", "x.png"],
    ]
    for arguments in readers {
      let outcome = try await home.run(arguments)
      #expect(outcome.code == 2, "\(arguments): \(outcome)")
      #expect(outcome.errors.contains("“none.runs” contains no runs"), "\(outcome)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder + "x.png"))
    let lines = text.split(separator: "\n")
    try (lines[0] + "\n" + lines[1].prefix(40)).write(
      toFile: folder + "torn.runs", atomically: true, encoding: .utf8)
    let torn = try await home.run(["trace", "show", "torn.runs"])
    #expect(torn.code == 2, "\(torn)")
    #expect(torn.errors.contains("“torn.runs” ends in the middle, before its first run"), "\(torn)")
    try lines.filter { !$0.contains("submitted") }.joined(separator: "\n").write(
      toFile: folder + "damaged.runs", atomically: true, encoding: .utf8)
    let damaged = try await home.run(["trace", "show", "damaged.runs"])
    #expect(damaged.errors.contains("warning: “damaged.runs”, line "), "\(damaged)")
    let apart = try await home.run(["compare", "a.runs", "b.runs"])
    #expect(apart.code == 2 && apart.errors.contains("no run in common"), "\(apart)")
  }

  @Test func `box plots are drawn on the live clock`() async throws {
    let outcome = try await PlaygroundHome().eval(
      Self.load + "compare [ a: sleep 1ms ] under serial, serial.chain runs 6")
    #expect(outcome.code == 0, "\(outcome)")
    // Whatever the measured times are, each of the two rows shows its median, and the key below them explains the sign.
    #expect(
      outcome.output.split(separator: "\n").filter { $0.contains("┃") }.count == 3, "\(outcome)")
    #expect(outcome.output.contains("▒ middle half  ┃ median"), "\(outcome)")
  }
}
