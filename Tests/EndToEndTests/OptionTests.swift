import Foundation
import Testing

/// Options of the command line.
@Suite struct OptionTests {
  private static let script = "load SerialQueue; serial { sleep 20ms; sleep 10ms }"

  static let places: [[String]] = [
    ["--json", "--clock", "virtual", "--seed", "3", "eval", script],
    ["eval", "--json", "--clock", "virtual", "--seed", "3", script],
    ["eval", script, "--json", "--clock", "virtual", "--seed", "3"],
    ["--json", "eval", "--clock=virtual", script, "--seed=3"],
    ["--json", "eval", script, "--set", "clock=virtual", "--set", "seed=3"],
    ["--seed", "9", "--json", "eval", script, "--clock", "virtual", "--seed", "3"],
  ]

  @Test(arguments: places)
  func `options can stand before and after the subcommand`(_ arguments: [String]) async throws {
    let outcome = try await PlaygroundHome().run(arguments)
    #expect(outcome.code == 0)
    let run = try #require(try outcome.records("run").first)
    #expect(run.string("clock") == "virtual")
    #expect(run.integer("seed") == 3)
    #expect(run.integer("makespan_ns") == 30_000_000)
  }

  static let wrong: [(arguments: [String], message: String)] = [
    (["--nope", "eval", ""], "--nope"),
    (["frobnicate"], "frobnicate"),
    (["eval"], "script"),
    (["run"], "files"),
    (["compare", "a"], "candidate"),
    (["eval", "", "--clock", "fast"], "live or virtual"),
    (["eval", "", "--seed", "x"], "seed"),
    (["eval", "", "--seed", "-1"], "a whole number from 0, not “-1”"),
    (["eval", "", "--workers", "0"], "from 1 to 1024"),
    (["eval", "", "--workers", "-2"], "from 1 to 1024"),
    (["eval", "", "--time-limit", "soon"], "a duration such as 30s"),
    (["eval", "", "--runs", "0"], "a whole number from 1 to 1000000"),
    (["eval", "", "--plugins", "none"], "there is no folder “none”"),
    (
      ["explore", "--report", "x.html", "--", "/bin/true"], "makes no runs that --report could show"
    ),
    (["help", "compair"], "did you mean “compare”?"),
    (["eval", "explore value 1 strategy dfs runs exactly 20"], "tries no schedule twice"),
    (["eval", "save x.play"], "“save” writes what was typed at the prompt"),
    (["eval", "", "--threshold", "much"], "a percentage"),
    (["eval", "", "--set", "seed"], "NAME=VALUE"),
    (["eval", "", "--set", "sed=4"], "did you mean “seed”?"),
    (["eval", "", "--set", "clock=fast"], "live or virtual"),
  ]

  @Test(arguments: wrong)
  func `wrong options are refused`(arguments: [String], message: String) async throws {
    let outcome = try await PlaygroundHome().run(arguments)
    #expect(outcome.code == 2, "\(arguments)")
    #expect(outcome.output == "")
    #expect(outcome.errors.contains(message), "\(arguments): \(outcome.errors)")
  }

  @Test(arguments: [["--workers", "0", "eval", "value 1"], ["eval", "--nope", "x"]])
  func `a wrong option is a record, too`(_ arguments: [String]) async throws {
    let outcome = try await PlaygroundHome().run(["--json"] + arguments)
    #expect(outcome.code == 2)
    #expect(try outcome.records("error").count == 1, "\(outcome)")
  }

  @Test(arguments: [["--help"], ["help", "eval"], ["run", "--help"], ["help", "trace", "why"]])
  func `help is not an error`(_ arguments: [String]) async throws {
    let outcome = try await PlaygroundHome().run(arguments)
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("USAGE"))
    #expect(outcome.errors == "")
  }

  @Test func `a script comes from a file, standard input or a pipe`() async throws {
    let home = try PlaygroundHome()
    let file = try home.write("print \"read\"\n", to: "x.play")
    for (arguments, input) in [
      (["run", file], nil), (["run", "x.play"], nil), (["run", "-"], "print \"read\""),
      ([], "print \"read\""),
    ] as [([String], String?)] {
      let outcome = try await home.run(["--clock", "virtual"] + arguments, input: input)
      #expect(outcome.code == 0)
      #expect(outcome.output == "read\n", "\(arguments) \(outcome)")
    }
    let piped = try await Shell.run(
      "sh", "-c", "cat x.play | '\(PlaygroundProcess.executable)' --clock virtual",
      in: home.workingFolder)
    #expect(piped == "read", "\(piped)")
  }

  /// Standard input is the script, so a mistake in it is reported with its place in the script.
  @Test func `a mistake in standard input is reported with its place`() async throws {
    let outcome = try await PlaygroundHome().run([], input: "value 1\nvaleu 2\n")
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("<stdin>:2:1: error:"))
  }

  @Test func `the runs option repeats each run`() async throws {
    let outcome = try await PlaygroundHome().records("value 1; value 2; runs", "--runs", "3")
    #expect(try outcome.records("run").map { $0.integer("value") } == [1, 1, 1, 2, 2, 2])
    #expect(outcome.errors.contains("\n6    success"))
  }

  @Test func `workers limit how many steps run at the same time`() async throws {
    let home = try PlaygroundHome()
    for (workers, makespan) in [("1", 20), ("2", 10), ("4", 5)] {
      let outcome = try await home.records(
        "load SwiftConcurrency; swift.taskgroup(width: 4) { 4 * work 5ms }", "--workers", workers)
      let run = try #require(try outcome.records("run").first)
      #expect(run.integer("makespan_ns") == makespan * 1_000_000)
      #expect(run.integer("threads") == Int(workers))
    }
    let shown = try await home.eval("set workers; set workers 3; set workers", "--workers", "2")
    #expect(shown.output == "workers  2\nworkers  3\n")
  }

  @Test func `settings change in the order written`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "set seed; set seed 5; set seed; set clock virtual; set clock; set time-limit 2s; set time-limit",
      "--seed", "4")
    #expect(outcome.output == "seed  4\nseed  5\nclock  virtual\ntime-limit  2s\n")
  }

  @Test func `a pipe gets no colours`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "fail \"no\"", environment: ["TERM": "xterm-256color"])
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test func `a terminal gets colours unless they are turned off`() async throws {
    for (options, isColoured) in [([], true), (["--no-color"], false)] as [([String], Bool)] {
      let home = try PlaygroundHome()
      let terminal = try home.prompt(options)
      try await terminal.expect("> ")
      try await terminal.type("fail \"no\"\n", expecting: "fail \"no\" · failure")
      try await terminal.expect("\n> ")
      terminal.type("quit\n")
      #expect(try await terminal.waitForExit() == 3, "the run that failed")
      let colours = terminal.raw.ranges(of: /\u{1B}\[[0-9;]*[1-9]m/)
      #expect(colours.isEmpty != isColoured)
    }
  }

  @Test func `determinism is checked`() async throws {
    let outcome = try await PlaygroundHome().records(Self.script, "--check-determinism")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("deterministic"))
  }

  @Test func `plugins come from the given folders`() async throws {
    let home = try PlaygroundHome()
    try home.write(PluginSources.answer(41), to: "mine/Answer.swift")
    try home.folder.write(
      PluginSources.answer(42), to: "data/async-playground/plugins/Answer.swift")
    let script = "load Answer; answer { value 0 }"
    let given = try await home.records(script, "--plugins", home.workingFolder + "/mine")
    #expect(try given.records("run").first?.integer("value") == 41)
    let listed = try await home.eval(
      script, "--json", environment: ["ASYNC_PLAYGROUND_PLUGINS": home.workingFolder + "/mine"])
    #expect(try listed.records("run").first?.integer("value") == 41)
    let own = try await home.records(script)
    #expect(try own.records("run").first?.integer("value") == 42)
  }
}
