import Testing

/// `explore`: its counts, its findings, and its exit code.
@Suite struct ExploreTests {
  /// Runs a script with patterns whose steps race.
  static func explore(
    _ script: String, _ options: String..., home: PlaygroundHome? = nil
  ) async throws -> PlaygroundProcess.Outcome {
    let home = try home ?? PlaygroundHome()
    try home.write(PluginSources.races, to: "Races.swift")
    return try await home.run(
      options + ["eval", "load SerialQueue Promises Races.swift\n" + script])
  }

  static let race = "explore at-once { a: sleep 1ms; b: sleep 1ms } checking { expect order a, b }"

  @Test func `the record contains the result of the exploration`() async throws {
    let outcome = try await Self.explore(
      Self.race.replacing("checking", with: "runs exactly 1000 checking"), "--json")
    let record = try #require(try outcome.records("explore").first, "\(outcome)")
    #expect(
      record.names == [
        "record", "name", "schedules", "distinct", "chance_of_new", "violations", "ending",
        "replay", "property",
        "detail", "reproducible", "lints",
      ])
    #expect(record.integer("schedules") == 1_000)
    // Either a or b starts first, and either a or b finishes first.
    #expect(record.integer("distinct") == 4)
    let violations = try #require(record.integer("violations"))
    #expect((400...600).contains(violations), "about half of them, not \(violations)")
    #expect(
      record.string("replay") == "4 workers, 1:1: at-once { a: sleep 1ms; b: sleep 1ms }")
    #expect(record.string("property") == "order a, b")
    #expect(record.string("detail") == "it was b, a")
    #expect(record.string("ending") == "complete")
    #expect(record.bool("reproducible") == true)
    #expect(try outcome.records().count == 1)
    #expect(outcome.code == 1)
  }

  @Test func `without a violation the record has nothing to replay`() async throws {
    let outcome = try await Self.explore("explore serial { a: sleep 1ms } runs 7", "--json")
    let record = try #require(try outcome.records("explore").first, "\(outcome)")
    #expect(record.integer("schedules") == 7)
    #expect(record.integer("distinct") == 1)
    #expect(record.integer("violations") == 0)
    for name in ["replay", "property", "detail", "reproducible", "lints"] {
      #expect(record.isNull(name), "\(name)")
    }
    #expect(outcome.code == 0)
  }

  @Test func `an exploration ends when it has tried all schedules, unless it is exact`()
    async throws
  {
    let outcome = try await Self.explore(
      "\(Self.race)\nexplore at-once { 3 * sleep 1ms } runs exactly 20\n"
        + "explore at-once { 3 * sleep 1ms } runs 1000000", "--json")
    let records = try outcome.records("explore")
    #expect(records.map { $0.string("ending") } == ["exhausted", "complete", "exhausted"])
    #expect(records.map { $0.integer("distinct") }.first == 4)
    #expect(records.last?.integer("distinct") == 36, "\(outcome)")
    #expect(outcome.errors.contains("  all 4 schedules, in "), "\(outcome)")
    #expect(outcome.errors.contains(" of the next 100 schedules would be new."), "\(outcome)")
  }

  @Test func `the result is the same with any number of cores`() async throws {
    let script = "explore at-once { 4 * sleep 1ms } runs exactly 1000"
    let one = try await Self.explore(script, "--json")
    let three = try await Self.explore(script, "--json", "--set", "cores=3")
    #expect(one.output == three.output)
    #expect(try one.records("explore").first?.integer("schedules") == 1_000)
  }

  @Test func `an exploration without choices says so and ends`() async throws {
    let outcome = try await Self.explore("explore serial { a: sleep 1ms; b: work 1ms }", "--json")
    let record = try #require(try outcome.records("explore").first, "\(outcome)")
    #expect(record.integer("schedules") == 10 && record.integer("distinct") == 1)
    #expect(record.string("ending") == "exhausted")
    #expect(outcome.errors.contains("the only schedule, in 10 tries: no violation"))
  }

  /// The findings in a run with a violation may explain it.
  @Test func `the lints of the violation are shown`() async throws {
    let outcome = try await Self.explore(
      "explore serial { a: twice 1ms; b: sleep 5ms } checking { expect order b, a }", "--json")
    let record = try #require(try outcome.records("explore").first, "\(outcome)")
    #expect(record.objects("lints").map { $0.string("rule") } == ["completed-twice"])
    // The findings have the same form as in the record of a run.
    #expect(
      record.objects("lints").map(\.names) == [["rule", "step", "message", "count", "page"]])
    #expect(outcome.errors.contains("\n❶ completed-twice, a: "), "\(outcome)")
  }

  @Test(arguments: [
    "", "strategy random", "strategy pct", "strategy pct depth 2", "strategy dfs",
    "strategy dfs depth 1", "runs 50", "inject lateness", "inject cancel strategy dfs",
  ])
  func `every strategy finds the race`(clauses: String) async throws {
    let outcome = try await Self.explore(
      Self.race.replacing("checking", with: clauses + " checking"), "--json")
    let record = try #require(try outcome.records("explore").first, "\(outcome)")
    #expect(record.string("property") == "order a, b")
    #expect(outcome.code == 1)
  }

  @Test func `depth-first search ends after all schedules`() async throws {
    let outcome = try await Self.explore(
      """
      explore at-once { 3 * sleep 1ms } strategy dfs
      explore at-once { 3 * sleep 1ms } strategy dfs depth 1
      explore sleep 1ms strategy dfs
      """)
    #expect(outcome.output.contains("  all 36 schedules: no violation\n"), "\(outcome)")
    #expect(
      outcome.output.contains("  all 7 schedules with at most 1 choice out of order: no violation"))
    #expect(outcome.output.contains("  the only schedule: no violation\n"))
    #expect(outcome.code == 0)
  }

  /// The settings determine the workers and the seed, and the number of schedules if they contain one.
  @Test func `settings apply to an exploration`() async throws {
    func record(_ options: String...) async throws -> JSONRecord? {
      let home = try PlaygroundHome()
      try home.write(PluginSources.races, to: "Races.swift")
      let script = "load Races.swift; explore at-once { 3 * sleep 1ms }"
      return try await home.run(["--json"] + options + ["eval", script]).records("explore").first
    }
    #expect(try await record("--runs", "5")?.integer("schedules") == 5)
    // On one worker, only events that are due at the same time can change their order.
    let (one, four) = try await (record("--workers", "1"), record())
    #expect(try #require(one?.integer("distinct")) < #require(four?.integer("distinct")))
  }

  @Test func `the same exploration has the same output`() async throws {
    let (first, second) = try await (Self.explore(Self.race), Self.explore(Self.race))
    #expect(first.output == second.output)
    let other = try await Self.explore(Self.race, "--seed", "5", "--json")
    #expect(try other.records("explore").first?.integer("violations") != nil)
  }

  // MARK: Checks

  static let violations: [(script: String, property: String, detail: String)] = [
    ("explore never", "finishes", "“never” was started at 0ns and holds its completion"),
    ("explore serial { a: twice 1ms }", "no completed-twice", "“a” called its completion again"),
    ("explore locks", "finishes", "on worker 1 holds semaphore 1 and has waited for semaphore 2"),
    ("explore never checking { }", "finishes", "holds its completion"),
    // A run may only stay unfinished if an expectation says what its outcome must be.
    ("explore never checking { expect makespan < 1s }", "finishes", "holds its completion"),
    ("explore never checking { expect outcome == success }", "outcome == success", "it was unfin"),
    ("explore fail \"no\" checking { expect outcome == success }", "outcome == success", "failure"),
    ("explore sleep 2ms checking { expect makespan < 2ms }", "makespan < 2ms", "it was 2ms"),
    ("explore value 3 checking { expect value == 4 }", "value == 4", "it was 3"),
    ("explore twice 1ms checking { expect lints == none }", "lints == none", "completed-twice"),
    ("explore work 2ms checking { expect work < 2ms }", "work < 2ms", "it was 2ms"),
    (
      "explore serial { a: fail \"no\"; b: value 1 } checking { expect order a, b }", "order a, b",
      "b did not finish"
    ),
    (
      "explore at-once { 2 * sleep 1ms } checking { expect concurrency < 2; expect count sleep > 2 }",
      "concurrency < 2", "it was 2"
    ),
    (
      "explore at-once { 2 * sleep 1ms } checking { expect outcome == success\nexpect count sleep > 2 }",
      "count sleep > 2", "it was 2"
    ),
  ]

  @Test(arguments: violations)
  func `an expectation that does not hold is found`(
    script: String, property: String, detail: String
  ) async throws {
    let outcome = try await Self.explore(
      script + " runs exactly 1000\nexpect violations == 1000", "--json")
    let record = try #require(try outcome.records("explore").first, "\(outcome)")
    #expect(record.string("property") == property)
    #expect(record.string("detail")?.contains(detail) == true, "\(outcome)")
    #expect(outcome.code == 0, "every schedule violates it: \(outcome)")
  }

  @Test(arguments: [
    "explore fail \"no\"", "explore fail \"no\" checking { expect outcome == failure }",
    "explore never checking { expect outcome == unfinished }",
    "explore sleep 2ms checking { expect makespan == 2ms; expect lints == none }",
    "explore at-once { 3 * sleep 1ms } inject failure",
    "explore value 3 checking { expect value == 3 } runs 3 inject lateness",
    "explore serial.semaphore { a: twice 1ms; b: sleep 5ms; c: sleep 5ms } "
      + "checking { expect order a, b, c }",
  ])
  func `an expectation that holds is not a violation`(script: String) async throws {
    let outcome = try await Self.explore(script)
    #expect(outcome.output.contains("no violation"), "\(outcome)")
    #expect(outcome.code == 0)
  }

  /// Faults that only show if a step is cancelled, fails or is late at a certain point.
  @Test func `injections find faults that are hidden otherwise`() async throws {
    let outcome = try await Self.explore(
      """
      pair = forgetful { a: sleep 1ms; b: sleep 1ms }
      explore pair
      explore pair inject failure
      explore pair inject cancel strategy dfs
      explore serial { pair } inject lateness checking { expect finished pair/a <= 1ms }
      explore at-once { a: value 1; b: sleep 1ms } inject lateness strategy dfs checking {
        expect order a, b
      }
      explore serial { a: value 1; b: value 2 } inject failure checking { expect outcome == success }
      """, "--json")
    let records = try outcome.records("explore")
    #expect(
      records.map { $0.string("property") } == [
        nil, nil, "no completion-dropped", nil, "order a, b", "outcome == success",
      ], "\(outcome)")
    #expect(
      records.map { $0.string("replay") } == [
        nil, nil,
        "4 workers, cancel at 1: pair = forgetful { a: sleep 1ms; b: sleep 1ms }; pair", nil,
        "4 workers, lateness at 0: at-once { a: value 1; b: sleep 1ms }",
        "4 workers, failure at 0: serial { a: value 1; b: value 2 }",
      ])
  }

  // MARK: Expectations and exit codes

  static let codes: [(script: String, code: Int32)] = [
    ("\(race)", 1),
    ("\(race)\nexpect violations > 0", 0),
    ("\(race)\nexpect violations == 0", 1),
    ("\(race)\nexpect violations > 0\nexpect violations > 1000000", 1),
    // As with a failing run: the expectation must follow directly, with only other expectations in between.
    ("value 1\n\(race)\nexpect value == 1\nexpect violations > 0", 0),
    ("\(race)\nvalue 1\nexpect violations > 0", 1),
    // An expectation only excuses its own kind of failure.
    ("value 1\n\(race)\nexpect outcome == success", 1),
    ("explore value 1\nfail \"no\"\nexpect violations == 0", 3),
    ("explore value 1\nfail \"no\"\nexpect violations == 0\nexpect outcome == failure", 0),
    ("\(race)\nexplore value 1\nexpect violations == 0", 1),
    ("explore value 1\nexpect violations == 0", 0),
  ]

  @Test(arguments: codes)
  func `the outcome of an exploration determines the exit code`(
    script: String, code: Int32
  ) async throws {
    let outcome = try await Self.explore(script)
    #expect(outcome.code == code, "\(outcome)")
  }

  @Test func `the time limit stops an exploration`() async throws {
    let outcome = try await Self.explore(
      "explore at-once { 9 * sleep 1ms } runs 1000000000\nvalue 8", "--time-limit", "500ms",
      "--json")
    let record = try #require(try outcome.records("explore").first, "\(outcome)")
    #expect(record.string("ending") == "time-limit")
    #expect(outcome.errors.contains("It was stopped at the time limit, 500ms of real time"))
    #expect(try outcome.records("run").count == 1, "the script continues")
    #expect(outcome.code == 4)
  }

  // MARK: Mistakes in scripts

  static let mistakes: [(script: String, column: Int, message: String, hint: String)] = [
    (
      "explore sleep 1ms depth 3", 25, "the strategy random takes no “depth”",
      "pct depth 3"
    ),
    (
      "explore sleep 1ms strategy pct depth 1001", 38, "the depth of pct must be from 1 to 1000",
      "1000"
    ),
    ("explore slep 1ms", 9, "there is no pattern, step or name “slep”", "“sleep”"),
    ("explore sh \"true\"", 9, "“sh” runs on the live clock only", "use “sleep” or “work” instead"),
    (
      "explore serial { fetch: value 1 } checking { expect order fetch, store }", 66,
      "the explored expression has no step “store”", "its steps are fetch"
    ),
    (
      "value 1; explore value 1 checking { expect ratio a < 1 }", 37,
      "“checking” checks each run alone, and this needs more than one run",
      "as a statement of its own"
    ),
    (
      "explore value 1 checking { expect violations == 0 }", 28,
      "“checking” checks each run alone, and this needs more than one run",
      "as a statement of its own"
    ),
    (
      "explore value 1 checking { expect makespan == 3 }", 47, "“makespan” is a duration",
      "for instance: < 40ms"
    ),
    ("expect violations == 0", 1, "nothing is explored before this expectation", "explore serial"),
    ("explore value 1; expect violations == 1ms", 39, "“violations” is a whole number", "== 1"),
  ]

  @Test(arguments: mistakes)
  func `a mistake is found before anything runs`(
    script: String, column: Int, message: String, hint: String
  ) async throws {
    let outcome = try await PlaygroundHome().run(
      ["--json", "eval", "load SerialQueue\nprint \"ran\"\n\(script)"])
    let error = try #require(try outcome.records("error").first, "\(outcome)")
    #expect(try outcome.records().count == 1)
    #expect(error.string("message")?.hasPrefix(message) == true, "\(outcome)")
    #expect(error.integer("line") == 3)
    #expect(error.integer("column") == column)
    #expect(outcome.errors.contains(hint) && !outcome.errors.contains("ran\n"), "\(outcome)")
    #expect(outcome.code == 2)
  }
}
