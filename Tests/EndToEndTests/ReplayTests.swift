import Testing

/// `replay` runs a schedule again that `explore` has found, when the user pastes the printed line.
@Suite struct ReplayTests {
  /// The `replay` line that an exploration printed.
  private static func line(in outcome: PlaygroundProcess.Outcome) throws -> String {
    try #require(
      outcome.output.split(separator: "\n").first { $0.hasPrefix("replay \"") }.map(String.init),
      "\(outcome)")
  }

  /// Compositions with labels that must be quoted, or with parts that are defined elsewhere.
  static let compositions = [
    "at-once { a: sleep 1ms; b: sleep 1ms }",
    #"at-once { "a \"b\" \\ c": sleep 1ms; "tab\tline\n\u{1b}é漢": sleep 1ms }"#,
    "job",
    "at-once [ x: job; y: sleep 1ms ]",
  ]

  @Test(arguments: compositions)
  func `the replay in the output and in the record can be pasted`(
    composition: String
  ) async throws {
    let script = """
      leaf = sleep 1ms
      steps = [ a: leaf; b: leaf ]
      job = at-once steps
      explore \(composition) checking { expect makespan < 1ms }
      """
    let printed = try await ExploreTests.explore(script)
    #expect(printed.code == 1, "\(printed)")
    let recorded = try await ExploreTests.explore(script, "--json")
    let record = try #require(try recorded.records("explore").first)
    let text = try #require(record.string("replay"))
    // The text as a string literal of the script language.
    let quoted =
      text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    let lines = [try Self.line(in: printed), "replay \"\(quoted)\""]
    var runs: [Substring] = []
    for line in lines {
      let outcome = try await ExploreTests.explore(line + "\nexpect makespan < 1ms", "--json")
      #expect(outcome.code == 1, "\(outcome)")
      let run = try #require(try outcome.records("run").first, "\(outcome)")
      #expect(run.string("clock") == "virtual" && run.string("outcome") == "success")
      runs += outcome.output.split(separator: "\n").prefix(1)
    }
    #expect(runs.count == 2 && runs[0] == runs[1])
  }

  @Test func `a replay repeats the order that was found`() async throws {
    let found = try await ExploreTests.explore(ExploreTests.race)
    let outcome = try await ExploreTests.explore(
      "\(try Self.line(in: found))\nexpect order b, a\nexpect started a == 0", "--no-color")
    #expect(outcome.code == 0, "\(outcome)")
    // The picture of the run comes first, then the events.
    let told = found.output.split(separator: "\n").filter { $0.contains("  pool-1  ") }
    #expect(told.count == 5)
    let picture = try #require(outcome.output.firstRange(of: "critical path: "))
    for line in told {
      let place = try #require(outcome.output.firstRange(of: line), "\(line) in \(outcome)")
      #expect(place.lowerBound > picture.upperBound)
    }
  }

  static let codes: [(script: String, code: Int32)] = [
    (#"replay "4 workers: value 1""#, 0),
    (#"replay "1 worker: fail \"no\"""#, 3),
    (#"replay "1 worker: fail \"no\""; expect outcome == failure"#, 0),
    (#"replay "2 workers: locks""#, 4),
    (#"replay "2 workers: locks"; expect outcome == unfinished"#, 0),
    (#"replay "4 workers, failure at 1: serial { a: value 1; b: value 2 }""#, 3),
    (#"replay "4 workers, failure at 9: serial { a: value 1; b: value 2 }""#, 0),
    (#"replay "4 workers, cancel at 0: serial { a: value 1 }"; expect outcome == cancelled"#, 0),
    // Choices that do not come up, or now have fewer candidates, are not mistakes.
    (#"replay "4 workers, 0:9 700:1: at-once { a: value 1; b: value 2 }""#, 0),
  ]

  @Test(arguments: codes)
  func `a replay is a run`(script: String, code: Int32) async throws {
    let outcome = try await ExploreTests.explore(script + "\nruns")
    #expect(outcome.code == code, "\(outcome)")
    #expect(outcome.output.contains("run  outcome"))
  }

  static let misfits: [(schedule: String, remark: String?)] = [
    ("4 workers, 0:1", nil),
    ("4 workers, 0:9", "choice 0 is candidate 9, but there are only 2."),
    ("4 workers, 700:1", "the run ends before choice 700."),
  ]

  @Test(arguments: misfits)
  func `a schedule of other code is pointed out`(schedule: String, remark: String?) async throws {
    let outcome = try await ExploreTests.explore(
      "replay \"\(schedule): at-once { a: value 1; b: value 2 }\"")
    let text = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if let remark {
      #expect(text.contains("another input: \(remark) So this is another run."), "\(outcome)")
    } else {
      #expect(!text.contains("another run"), "\(outcome)")
    }
  }

  @Test func `a deadlock names the waiting steps`() async throws {
    let outcome = try await ExploreTests.explore(#"replay "2 workers: locks""#)
    #expect(outcome.output.contains("Deadlock"), "\(outcome)")
    #expect(
      outcome.output.contains(
        "on worker 1 holds semaphore 1 and has waited for semaphore 2 since 1ms"))
    #expect(outcome.output.contains("“locks” on worker 1 waits for “locks” on worker 2"))
  }

  /// A replay neither sees the names of the session nor changes them.
  @Test func `names of a replay and of the session are separate`() async throws {
    let outcome = try await ExploreTests.explore(
      """
      job = [ x: value 1 ]
      replay "4 workers: job = [ y: value 2 ]; other = serial job; other"
      expect started y
      names
      serial job
      expect started x
      """)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(!outcome.output.contains("other ="))
    let unknown = try await ExploreTests.explore(
      "job = [ x: value 1 ]\nreplay \"1 worker: serial job\"")
    #expect(unknown.errors.contains("there is no pattern, step or name “job”"), "\(unknown)")
    #expect(unknown.code == 2)
  }

  static let mistakes: [(text: String, column: Int, message: String)] = [
    ("value 1", 8, "a script is missing after the schedule"),
    ("", 8, "a script is missing after the schedule"),
    ("four workers: value 1", 9, "this is not a schedule"),
    ("4 workers, 3:0: value 1", 9, "this is not a schedule"),
    ("4 workers, 9:1 3:1: value 1", 9, "this is not a schedule"),
    ("4 workers, 99999999999999999999:1: value 1", 9, "this is not a schedule"),
    ("99999 workers: value 1", 9, "the number of workers must be from 1 to 1024"),
    ("4 workers: ", 20, "the expression to run is missing"),
    ("4 workers: a = value 1", 31, "the expression to run is missing"),
    ("4 workers: valeu 1", 20, "there is no pattern, step or name “valeu”"),
    (#"4 workers: serial { \"a\\\"b\": valeu 1 }"#, 41, "there is no pattern"),
    (#"4 workers: serial { \"\\u{41}\u{e9}\": valeu 1 }"#, 48, "there is no pattern"),
    ("4 workers: serial { a: value 1", 27, "this “{” is never closed"),
    ("4 workers: value 1; value 2", 29, "a replay takes definitions"),
    ("4 workers: value 1; a = value 2", 29, "a replay takes definitions"),
    ("4 workers: value 1 &", 20, "a replay takes definitions"),
    ("4 workers: load; value 1", 20, "a replay takes definitions"),
    (
      "4 workers: serial = [ a: value 1 ]; serial serial", 20,
      "“serial” is already a pattern or a step"
    ),
    (#"4 workers: sh \"true\""#, 20, "“sh” runs on the live clock only"),
    (#"4 workers: \n\n  valeu 1"#, 26, "there is no pattern, step or name “valeu”"),
  ]

  @Test(arguments: mistakes)
  func `a mistake is shown at its place in the text`(
    text: String, column: Int, message: String
  ) async throws {
    let outcome = try await PlaygroundHome().run(
      ["--json", "eval", "load SerialQueue; print \"ran\"\nreplay \"\(text)\""])
    let error = try #require(try outcome.records("error").first, "\(outcome)")
    #expect(try outcome.records().count == 1, "\(outcome)")
    #expect(error.string("message")?.hasPrefix(message) == true, "\(outcome)")
    #expect(error.integer("line") == 2)
    #expect(error.integer("column") == column, "\(outcome)")
    #expect(!outcome.errors.contains("ran\n"))
    #expect(outcome.code == 2)
  }

  @Test func `an invalid schedule is explained with examples`() async throws {
    let outcome = try await PlaygroundHome().eval(#"replay "4 wokers: value 1""#)
    #expect(
      outcome.errors.contains(
        """
          replay "4 wokers: value 1"
                  ^~~~~~~~
          a schedule looks like “4 workers”, “1 worker, 3:1 17:2” or
        """), "\(outcome)")
  }

  /// A line can be a megabyte long, and no longer.
  @Test func `a replay that is too long to paste is reported`() async throws {
    let home = try PlaygroundHome()
    try home.write(PluginSources.races, to: "Races.swift")
    let text = String(repeating: "x", count: 400_000)
    let script = """
      load SerialQueue
      a = value "\(text)"
      b = value "\(text)"
      c = value "\(text)"
      explore serial { a; b; c; never } runs 1
      """
    let outcome = try await home.run(["run", "-"], input: script)
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("too long to paste"), "\(outcome.output.suffix(1_000))")
    #expect(!outcome.output.contains("replay \""))
    let recorded = try await home.run(["--json", "run", "-"], input: script)
    #expect(try recorded.records("explore").first?.isNull("replay") == true)
    #expect(try recorded.records("explore").first?.string("property") == "finishes")
  }
}
