import Foundation
import Testing

/// Runs that are saved, compared, looked at and handed on.
@Suite struct TraceTests {
  private static let script = "load SerialQueue; job = [ a: sleep 20ms; b: sleep 10ms ]; serial job"

  private static func save(
    _ script: String, to file: String, in home: PlaygroundHome
  ) async throws {
    let outcome = try await home.eval(script, "--clock", "virtual", "--save", file)
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("to \(file)"))
  }

  static let changes: [(candidate: String, code: Int32, ratio: Double?)] = [
    (script, 0, 1),
    // Slower; and any difference counts on the virtual clock, also a gain, also one without any cost.
    (script.replacing("20ms", with: "40ms"), 1, 5.0 / 3),
    (script.replacing("20ms", with: "5ms"), 1, 0.5),
    (script.replacing("a: sleep 20ms; b: sleep 10ms", with: "b: sleep 10ms; a: sleep 20ms"), 1, 1),
    // Runs of another name have nothing to be compared with.
    ("value 1", 1, nil),
  ]

  @Test(arguments: changes)
  func savedRunsAreCompared(candidate: String, code: Int32, ratio: Double?) async throws {
    let home = try PlaygroundHome()
    try await Self.save(Self.script, to: "a.runs", in: home)
    try await Self.save(candidate, to: "b.runs", in: home)
    let outcome = try await home.run(["compare", "a.runs", "b.runs", "--json"])
    #expect(outcome.code == code, "\(outcome)")
    let rows = try outcome.records("compare").first?.objects("rows")
    #expect(rows?.last?["ratio"] as? Double == ratio)
  }

  @Test func severalRunsOfOneNameAreItsSample() async throws {
    let home = try PlaygroundHome()
    try await Self.save("set runs 3; \(Self.script)", to: "a.runs", in: home)
    let outcome = try await home.run(["compare", "a.runs", "a.runs", "--json"])
    #expect(outcome.code == 0)
    let rows = try outcome.records("compare").first?.objects("rows") ?? []
    #expect(rows.map { $0.integer("runs") } == [3, 3])
    #expect(rows.map { $0.string("verdict") } == ["baseline", "same"])
  }

  @Test func whatIsShownAgainIsWhatWasRun() async throws {
    let home = try PlaygroundHome()
    let made = try await home.records(Self.script, "--save", "a.runs")
    let shown = try await home.run(["trace", "show", "a.runs", "--json"])
    #expect(shown.code == 0)
    #expect(shown.output == made.output)
    #expect(shown.errors.contains("critical path: a → b"))
    let analysed = try await home.run(["trace", "analyse", "a.runs"])
    #expect(analysed.code == 0 && analysed.output.contains("* job/b"))
  }

  @Test func lintFindsWhatARunDidWrong() async throws {
    let home = try PlaygroundHome()
    try await Self.save(Self.script, to: "good.runs", in: home)
    try await Self.save("value 1; twice 1ms", to: "bad.runs", in: home)
    #expect(try await home.run(["trace", "lint", "good.runs"]).code == 0)
    let bad = try await home.run(["trace", "lint", "bad.runs"])
    #expect(bad.code == 1)
    #expect(bad.output.contains("completed-twice"))
  }

  @Test func exportIsJSONThatHoldsEveryStep() async throws {
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

  @Test func theCommandsOfASessionDoTheSame() async throws {
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

  static let refused: [(arguments: [String], message: String)] = [
    (["compare", "a.runs", "none"], "none"), (["compare", "a.runs", "x.play"], "x.play"),
    (["trace", "show", "none"], "none"), (["trace", "shw", "a.runs"], "did you mean “show”?"),
    (["trace", "export", "--format", "nope", "a.runs"], "there is chrome"),
    (["eval", "value 1", "--save", "no/such/folder"], "no/such/folder"),
    (["eval", "trace save"], "needs a file"), (["eval", "trace lint"], "nothing has been run yet"),
  ]

  @Test(arguments: refused)
  func whatCannotBeDoneIsAnError(arguments: [String], message: String) async throws {
    let home = try PlaygroundHome()
    try await Self.save(Self.script, to: "a.runs", in: home)
    try home.write("value 1", to: "x.play")
    let outcome = try await home.run(arguments)
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func aFileCutShortYieldsWhatIsWhole() async throws {
    let home = try PlaygroundHome()
    try await Self.save("value 1; value 2", to: "a.runs", in: home)
    let file = URL(filePath: home.workingFolder + "/a.runs")
    try Data(contentsOf: file).dropLast(20).write(to: file)
    let outcome = try await home.run(["trace", "show", "a.runs", "--json"])
    #expect(try outcome.records("run").map { $0.integer("value") } == [1])
    #expect(outcome.errors.contains("ends in the middle of a run"))
  }
}
