import Foundation
import TerminalTesting
import Testing

/// What users of other prompts type without thinking.
@Suite struct HabitTests {
  @Test(arguments: ["exit", "q", "quit"])
  func `every word for leaving leaves`(_ word: String) async throws {
    let terminal = try await PromptTests.open(PlaygroundHome())
    terminal.type(word + "\n")
    #expect(try await terminal.waitForExit() == 0)
  }

  @Test func `a question mark asks for help`() async throws {
    let terminal = try await PromptTests.open(PlaygroundHome(), environment: ["PAGER": "cat"])
    terminal.type("?\n")
    try await terminal.expect("Load patterns, write steps")
    try await terminal.expect("\n> ")
    try await terminal.type("load SerialQueue; ?serial\n", expecting: "\nserial([width: N]")
    try await terminal.expect("\n> ")
    try await terminal.type("serial.chain?\n", expecting: "\nserial.chain")
    try await terminal.expect("See also")
    try await terminal.expect("\n> ")
    try await terminal.type("?critcal path\n", expecting: "did you mean “critical path”?")
  }

  @Test func `an exclamation mark runs a shell command`() async throws {
    let home = try PlaygroundHome()
    try home.write("", to: "a-file")
    let terminal = try await PromptTests.open(home)
    try await terminal.type("!ls; echo \"done\"\n", expecting: "a-file\ndone\n")
    try await terminal.expect("> ")
    try await terminal.type("!exit 3\n", expecting: "exit status 3\n")
    try await terminal.expect("> ")
    try await terminal.type("!test -t 0 && test -t 1 && echo both\n", expecting: "\nboth\n")
    try await terminal.expect("> ")
    try await terminal.type("runs\n", expecting: "Nothing has been run yet.")
    let script = try await home.eval("!ls\nprint \"next\"", "--clock", "virtual")
    #expect(script.code == 0 && script.output.hasPrefix("a-file\nnext\n"), "\(script)")
    let records = try await home.records("!ls")
    #expect(records.output == "" && records.errors.contains("a-file"), "\(records)")
  }

  @Test func `Ctrl-C ends a shell command`() async throws {
    let home = try PlaygroundHome()
    let started = try NamedPipe(home.workingFolder + "/started")
    let terminal = try await PromptTests.open(home)
    terminal.type("!echo up > started; exec sleep 1000\n")
    _ = try #require(await started.line())
    try await terminal.press(.controlC, expecting: "\n> ")
    try await terminal.type("value 8\n", expecting: "→ 8\n")
  }

  @Test func `the history is listed`() async throws {
    let home = try PlaygroundHome()
    let first = try await PromptTests.open(home)
    try await first.type("value 41\n", expecting: "→ 41\n> ")
    first.type("q\n")
    #expect(try await first.waitForExit() == 0)
    let terminal = try await PromptTests.open(home)
    try await terminal.type("job = [\na: value 1 ]\n", expecting: "\n> ")
    try await terminal.type(
      "history\n", expecting: "1  value 41\n2  q\n3  job = [\n   a: value 1 ]\n4  history\n> ")
  }

  @Test func `a word for a command is also a name`() async throws {
    let home = try PlaygroundHome()
    let terminal = try await PromptTests.open(home)
    try await terminal.type("q = value 5; history = value 6\n", expecting: "\n> ")
    try await terminal.type("q\n", expecting: "→ 5\n> ")
    let script = try await home.records("load SerialQueue; serial { q: value 1; exit: value 2 }")
    #expect(script.code == 0, "\(script)")
  }

  @Test func `help searches`() async throws {
    let home = try PlaygroundHome()
    for script in ["help retries", "load Promises; help retries", "help search retry"] {
      let help = try await home.eval(script)
      #expect(help.code == 0 && help.output.contains("\n  retry "), "\(help)")
    }
    let timeout = try await home.eval("load Promises; help search timeout")
    #expect(timeout.output.contains("\n  timeout "), "\(timeout)")
    let nothing = try await home.eval("help search nonsense")
    #expect(nothing.code == 2 && nothing.errors.contains("there is no help on “nonsense”"))
  }

  @Test(arguments: [60, 100, 200])
  func `help fits the screen and breaks between words`(columns: Int) async throws {
    let terminal = try await PromptTests.open(PlaygroundHome(), columns: columns)
    let help = try await terminal.type("help\n", expecting: "\n> ")
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= columns }, "\(help)")
    if columns >= 80 { #expect(help.split(separator: "\n").count <= 24, "\(help)") }
    let errors = try await terminal.type(
      "serial { a: valeu 1; b: value 2 }; race(one)\n", expecting: "race { one; … }")
    #expect(errors.split(separator: "\n").allSatisfy { $0.count <= columns }, "\(errors)")
  }

  @Test func `long help is paged`() async throws {
    let terminal = try await PromptTests.open(
      PlaygroundHome(), environment: ["PAGER": "head -n 1"])
    let paged = try await terminal.type("help glossary\n", expecting: "\n> ")
    #expect(paged.contains("The terms of pictures") && !paged.contains("Swift type"), "\(paged)")
    try await terminal.type("help serial\n", expecting: "“load SerialQueue” loads it")
  }

  @Test func `all rows of a run are paged`() async throws {
    let terminal = try await PromptTests.open(
      PlaygroundHome(), environment: ["PAGER": "sed 's/^/paged: /'"])
    try await terminal.type("load Promises; set clock virtual\n", expecting: "\n> ")
    try await terminal.type("all { page: 300 * sleep 1ms }\n", expecting: "“show 1 all” gives each")
    let rows = try await terminal.type("show 1 all\n", expecting: "page-300│")
    #expect(rows.contains("paged:   page-1  │"), "\(rows)")
  }

  @Test(arguments: [["--help"], ["trace", "--help"], ["help", "trace", "export"]])
  func `long help of the command line is paged`(arguments: [String]) async throws {
    let terminal = try PlaygroundHome().prompt(
      arguments, environment: ["PAGER": "sed 's/^/paged: /'"], columns: 80)
    #expect(try await terminal.waitForExit() == 0)
    #expect(terminal.transcript.contains("paged: USAGE: playground"), "\(terminal.transcript)")
  }

  @Test func `lessons are listed and run`() async throws {
    let terminal = try await PromptTests.open(PlaygroundHome(), environment: ["PAGER": "cat"])
    let list = try await terminal.type(
      "lessons\n", expecting: "“lesson 3” shows the third one and runs it.\n")
    for lesson in LessonTests.lessons { #expect(list.contains("  \(lesson)  "), "\(lesson)") }
    try await terminal.expect("> ")
    let shown = try await terminal.type("lesson 1\n", expecting: "\n> ")
    #expect(shown.contains("\n# ") && shown.contains("· success ·"), "\(shown)")
    #expect(!shown.contains("#!/") && !shown.contains("FAILED"), "\(shown)")
    try await terminal.type("set clock\n", expecting: "clock  live\n")
    try await terminal.type("lesson 1000\n", expecting: "error: there is no lesson 1000")
  }

  @Test func `the comments of a lesson break between words`() async throws {
    let (wide, narrow) = (try await Self.commentsOfLesson(200), try await Self.commentsOfLesson(60))
    #expect(wide.contains { $0.count > 60 } && narrow.allSatisfy { $0.count <= 60 }, "\(narrow)")
    let words = [wide, narrow].map { $0.flatMap { $0.dropFirst(2).split(separator: " ") } }
    #expect(words[0] == words[1])
  }

  private static func commentsOfLesson(_ columns: Int) async throws -> [Substring] {
    let terminal = try await PromptTests.open(PlaygroundHome(), columns: columns)
    let shown = try await terminal.type("lesson 3\n", expecting: "\n> ")
    return shown.split(separator: "\n").filter { $0.hasPrefix("# ") }
  }

  @Test func `a run of the session is simulated`() async throws {
    let terminal = try await PromptTests.open(PlaygroundHome())
    try await terminal.type("set clock virtual; load SerialQueue\n", expecting: "\n> ")
    try await terminal.type("serial { fetch: sleep 20ms }\n", expecting: "\n> ")
    try await terminal.type("simulate 1 with fetch * 0.5\n", expecting: "· success · makespan 10ms")
    try await terminal.expect("\n> ")
    try await terminal.type("simulate 9\n", expecting: "error: there is no run 9")
    let script = try await PlaygroundHome().records(
      "load SerialQueue; serial { fetch: sleep 20ms }; simulate 1 with fetch * 0.5")
    #expect(try script.records("run").last?.integer("makespan_ns") == 10_000_000, "\(script)")
  }

  @Test func `a script needs no subcommand`() async throws {
    let home = try PlaygroundHome()
    try home.write("#!/usr/bin/env playground\nvalue 3", to: "x.play")
    for arguments in [
      ["x.play"], ["--json", "x.play"], ["--clock", "virtual", "x.play", "--json"],
    ] {
      let outcome = try await home.run(arguments)
      #expect(outcome.code == 0, "\(arguments): \(outcome)")
    }
    let missing = try await home.run(["none.play"])
    #expect(missing.code == 2 && missing.errors == "error: there is no file “none.play”\n")
    let version = try await home.run(["--version"])
    #expect(version.code == 0 && version.output.hasPrefix("playground "), "\(version)")
  }

  @Test func `a terminal without cursor movement shows the same text`() async throws {
    let terminal = try await PromptTests.open(PlaygroundHome(), environment: ["TERM": "dumb"])
    try await terminal.type("value 42\n", expecting: "→ 42\n")
    terminal.type("exit\n")
    #expect(try await terminal.waitForExit() == 0)
    #expect(!terminal.raw.contains("\u{1B}"), "\(terminal.raw)")
  }
}
