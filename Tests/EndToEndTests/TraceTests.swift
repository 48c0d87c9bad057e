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

  @Test func warmUpsCountForNoSample() async throws {
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
  func whatIsReadIsNotWrittenOver(output: String) async throws {
    let home = try PlaygroundHome()
    try await Self.save(Self.script, to: "a.runs", in: home)
    let path = home.workingFolder + "/a.runs"
    try FileManager.default.createSymbolicLink(
      atPath: home.workingFolder + "/linked.runs", withDestinationPath: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let outcome = try await home.run(["trace", "export", "a.runs", output])
    #expect(outcome.code != 0 && outcome.errors.contains("is the file that is read"), "\(outcome)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func aChromeTraceIsToBeImported() async throws {
    let home = try PlaygroundHome()
    try await Self.save(Self.script, to: "a.runs", in: home)
    let made = try await home.run(["trace", "export", "a.runs", "a.json"])
    #expect(made.code == 0, "\(made)")
    let outcome = try await home.run(["trace", "show", "a.json"])
    #expect(outcome.errors.contains("it is a Chrome trace: use “trace import”"), "\(outcome)")
  }

  @Test func whatBeganLongAgoIsAnalysed() async throws {
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

  /// The file's ending, or the option, tells the format.
  @Test(
    arguments: [
      ("a.csv", [], "run,name,clock,label"), ("a.dot", [], "digraph {"),
      ("a.mmd", [], "flowchart LR"), ("a.speedscope.json", [], "speedscope.app"),
      ("a.otlp.json", [], "resourceSpans"), ("a.json", [], "traceEvents"),
      ("a.svg", [], "<svg"), ("a.html", [], "<!doctype html>"),
      ("a.txt", ["--format", "csv"], "run,name,clock,label"),
    ] as [(String, [String], String)])
  func formatsAreWritten(file: String, options: [String], beginning: String) async throws {
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

  @Test func whatIsImportedCanBeShownComparedAndSaved() async throws {
    let home = try PlaygroundHome()
    try await Self.save(Self.script, to: "a.runs", in: home)
    _ = try await home.run(["trace", "export", "a.runs", "a.json"])
    let imported = try await home.run(["trace", "import", "a.json", "b.runs"])
    #expect(imported.code == 0 && imported.output.contains("imported 1 run"), "\(imported)")
    #expect(try await home.run(["compare", "a.runs", "b.runs"]).code == 0)
    let shown = try await home.run(["trace", "show", "b.runs"])
    #expect(shown.output.contains("critical path: a → b"))
    #expect(try await home.run(["trace", "lint", "b.runs"]).code == 0)
    let drawn = try await home.run(["trace", "import", "a.json"])
    #expect(drawn.output.contains("critical path: a → b"))
    // At the prompt it is a run of the session, which expectations read.
    let session = try await home.eval(
      """
      \(Self.script)
      trace import a.json
      expect makespan == 30ms
      compare runs 1, 2
      runs
      show 2
      trace save c.runs
      """, "--clock", "virtual")
    #expect(session.code == 0, "\(session)")
    #expect(session.output.contains("imported a.json as run 2"))
    #expect(session.output.contains("saved 2 runs"))
    #expect(try await home.run(["compare", "a.runs", "c.runs"]).code == 0)
  }

  @Test func aForeignTraceThatEndsInTheMiddleIsRead() async throws {
    let home = try PlaygroundHome()
    try home.write(#"[{"name":"a","ph":"X","ts":0,"dur":5,"pid":1,"tid":2},{"na"#, to: "cut.json")
    try home.write(#"[{"name":"a","ph":"X","ts":0,"dur":5,"pid":1,"tid":2} 3"#, to: "bad.json")
    let cut = try await home.run(["trace", "import", "cut.json"])
    #expect(cut.code == 0 && cut.errors.contains("ends in the middle"), "\(cut)")
    #expect(cut.output.contains("unfinished") && cut.output.contains("error: the trace ends"))
    try home.write(#"[{"name":"a","ph":"X","ts":0,"dur":5,"pid":1,"tid":2},"#, to: "open.json")
    let open = try await home.run(["trace", "import", "open.json"])
    #expect(open.code == 0 && open.errors.isEmpty && open.output.contains("success"), "\(open)")
    let bad = try await home.run(["trace", "import", "bad.json"])
    #expect(bad.code == 2 && bad.errors.contains("byte 54"), "\(bad)")
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
    (["trace", "export", "--format", "nope", "a.runs"], "there are chrome, speedscope"),
    (["eval", "value 1; trace export --format cvs x"], "did you mean “csv”?"),
    (["trace", "export", "--format", "csv", "a.runs", "--json"], "name a file for it"),
    (["trace", "export", "--format", "png", "a.runs"], "name a file for it"),
    (["eval", "value 1; trace export no/such/folder/a.png"], "no/such/folder"),
    (["eval", "value 1", "--report", "no/such/folder/a.html"], "no/such/folder"),
    (["eval", "x = [ a: value 1 ]", "--report", "a.html"], "no run yet"),
    (["trace", "export", "a.runs", "x.zip"], "the ending “.zip” of “x.zip” tells no format"),
    (["trace", "export", "a.runs", "-o", "b.runs"], ".speedscope, .otlp.json"),
    (["eval", "value 1; trace export x.zip"], "known ones are .chrome.json"),
    (["trace", "export", "a.runs", "-", "--format", "png"], "name a file for it"),
    (["trace", "import", "a.runs"], "it is a file of runs, and no trace: use “trace show”"),
    (["trace", "import", "a.runs", "-"], "“-” is standard output"),
    (["eval", "value 1", "--save", "-"], "--save writes a file"),
    (["--report", "-", "eval", "value 1"], "--report writes a file"),
    (["compare", "a.runs", "a.runs", "--save", "x.html"], "“compare” makes no runs"),
    (["--save", "x.runs", "trace", "show", "a.runs"], "“trace show” makes no runs"),
    (["plugin", "build", "SerialQueue", "--save", "x.runs"], "“plugin build” makes no runs"),
    (["compare", "-", "-"], "standard input can be one of the two"),
    (["compare", "-", "a.runs"], "standard input: it is empty"),
    (["trace", "import", "none"], "none"), (["trace", "import", "x.play"], "no trace of Chrome"),
    (["trace", "show", "a.runs", "b"], "Unexpected argument 'b'"),
    (["trace"], "“trace” needs an action"), (["trace", "lint"], "“trace lint” needs a file"),
    (["trace", "show", "a.runs", "--run", "7"], "there is no run “7” in “a.runs”"),
    (["trace", "show", "a.runs", "--run", "x"], "there are 1: serial job"),
    (["eval", "value 1; trace show --run 3"], "there is no run “3” in the session"),
    (["eval", "trace show -"], "“-” is for the command line"),
    (["eval", "trace lint --run"], "needs a run’s number or name"),
    (["trace", "show", "-"], "standard input: it is empty"),
    (["eval", "trace import"], "needs a file"),
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
    let files = try FileManager.default.contentsOfDirectory(atPath: home.workingFolder)
    #expect(files.sorted() == ["a.runs", "x.play"])
  }

  @Test(
    arguments: [
      ("1", ["serial job"]), ("3", ["value 7"]), ("serial", ["serial job", "serial job"]),
      ("serial job", ["serial job", "serial job"]), ("value", ["value 7"]),
    ])
  func oneRunOfManyIsMeantByNumberNameOrPattern(run: String, names: [String]) async throws {
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

  @Test func aPipeIsReadAsAFileIs() async throws {
    let home = try PlaygroundHome()
    try await Self.save(Self.script, to: "a.runs", in: home)
    let path = home.workingFolder + "/a.runs"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for arguments in [["show"], ["analyse"], ["lint"], ["export"], ["why", "a"]] {
      func run(_ file: String, input: String?) async throws -> PlaygroundProcess.Outcome {
        try await home.run(
          ["trace", arguments[0], file] + arguments.dropFirst() + ["--json"], input: input)
      }
      let (piped, read) = (try await run("-", input: text), try await run("a.runs", input: nil))
      #expect(piped.code == read.code && piped.errors == read.errors)
      if arguments != ["export"] { #expect(piped.output == read.output && !piped.output.isEmpty) }
    }
    _ = try await home.run(["trace", "export", "a.runs", "a.json"])
    let trace = try String(contentsOfFile: home.workingFolder + "/a.json", encoding: .utf8)
    let imported = try await home.run(["trace", "import", "-"], input: trace)
    #expect(imported.output.contains("critical path: a → b"), "\(imported)")
    // On the way out it is standard output.
    let plain = try await home.run(["trace", "export", "-", "--format", "csv"], input: text)
    let dash = try await home.run(["trace", "export", "a.runs", "-", "--format", "csv"])
    #expect(dash.code == 0 && dash.output == plain.output && dash.output.hasPrefix("run,name"))
    #expect(!FileManager.default.fileExists(atPath: home.workingFolder + "/-"))
    for files in [["-", "a.runs"], ["a.runs", "-"]] {
      let compared = try await home.run(["compare"] + files, input: text)
      #expect(compared.code == 0 && compared.output.contains("standard input"), "\(compared)")
    }
    let wrong = try await home.run(["trace", "show", "-"], input: "{]")
    #expect(wrong.code == 2 && wrong.errors.contains("standard input: "), "\(wrong)")
  }

  @Test(
    arguments: [
      ("show", "--lanes"), ("analyse", "--run"), ("why", "<step>"), ("lint", "exits with 1"),
      ("export", "--format"), ("import", "Chrome"),
    ])
  func eachActionTellsWhatItTakes(action: String, has: String) async throws {
    let outcome = try await PlaygroundHome().run(["trace", action, "--help"])
    #expect(outcome.code == 0 && outcome.output.contains(has), "\(outcome)")
    #expect(outcome.output.contains("--format") == (action == "export"))
    let all = try await PlaygroundHome().run(["trace", "--help"])
    #expect(all.code == 0 && all.output.contains("  \(action) ") && !all.output.contains("unknown"))
  }

  @Test func aFileCutShortYieldsWhatIsWhole() async throws {
    let home = try PlaygroundHome()
    try await Self.save("value 1; value 2", to: "a.runs", in: home)
    let file = home.workingFolder + "/a.runs"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.dropLast(8).write(toFile: file, atomically: true, encoding: .utf8)
    let cut = try await home.run(["trace", "show", "a.runs", "--json"])
    func isTold(_ outcome: PlaygroundProcess.Outcome, _ length: Int) -> Bool {
      outcome.errors.contains("“a.runs” ends in the middle of a run (byte \(length))")
    }
    #expect(isTold(cut, text.utf8.count - 8), "\(cut)")
    let runs = try cut.records("run")
    #expect(runs.map { $0.string("outcome") } == ["success", "unfinished"], "\(cut)")
    #expect(runs.last?.objects("steps").map { $0.string("label") } == ["value"], "\(cut)")
    #expect(cut.errors.contains("error: the program ended while this went on"), "\(cut)")
    // What lacks nothing but the end of its line went on to its end.
    try text.dropLast(2).write(toFile: file, atomically: true, encoding: .utf8)
    let whole = try await home.run(["trace", "show", "a.runs", "--json"])
    #expect(isTold(whole, text.utf8.count - 2), "\(whole)")
    #expect(try whole.records("run").map { $0.integer("value") } == [1, 2], "\(whole)")
    // Of one that broke off before its first event nothing is left.
    let list = try #require(text.ranges(of: "\"events\":[").last)
    try text[..<list.upperBound].write(toFile: file, atomically: true, encoding: .utf8)
    let outcome = try await home.run(["trace", "show", "a.runs", "--json"])
    #expect(try outcome.records("run").map { $0.integer("value") } == [1])
    #expect(isTold(outcome, text[..<list.upperBound].utf8.count), "\(outcome)")
    #expect(outcome.errors.contains("left out here"))
  }
}
