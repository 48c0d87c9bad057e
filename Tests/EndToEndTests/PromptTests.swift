import Foundation
import TerminalTesting
import Testing

/// The program in a terminal, as the user sees it.
@Suite struct PromptTests {
  /// Opens a session, and waits for its prompt.
  static func open(
    _ home: PlaygroundHome, environment: [String: String] = [:], columns: Int = 100
  ) async throws -> PseudoTerminal {
    let terminal = try home.prompt(
      environment: environment.merging(["NO_COLOR": "1"]) { given, _ in given }, columns: columns)
    // In a narrow window, the line is broken between any two words.
    try await terminal.expect("leaves.\n")
    try await terminal.expect("> ")
    return terminal
  }

  private func open() async throws -> PseudoTerminal { try await Self.open(PlaygroundHome()) }

  /// Types a block, and presses Ctrl-C when the block has written a line to the pipe “started”.
  private func interrupted(
    _ block: String
  ) async throws -> (terminal: PseudoTerminal, line: String) {
    let home = try PlaygroundHome()
    let started = try NamedPipe(home.workingFolder + "/started")
    let terminal = try await Self.open(home)
    terminal.type(block)
    let line = try #require(await started.line())
    terminal.press(.controlC)
    return (terminal, line)
  }

  @Test func `the last block decides the exit code`() async throws {
    let terminal = try await open()
    try await terminal.type("valeu 7\n", expecting: "did you mean")
    try await terminal.expect("\n> ")
    try await terminal.type("value 7\n", expecting: "value 7 · success")
    try await terminal.expect("\n> ")
    terminal.press(.controlD)
    #expect(try await terminal.waitForExit() == 0)
  }

  @Test func `a run shows its timeline`() async throws {
    let terminal = try await open()
    try await terminal.type("set clock virtual\n", expecting: "\n> ")
    let shown = try await terminal.type(
      "load SerialQueue; serial { a: sleep 20ms; b: sleep 10ms }\n", expecting: "\n> ")
    #expect(shown.contains("· success · makespan 30ms ·"))
    #expect(shown.contains("critical path: a → b\n"))
    #expect(shown.contains("\n* a│█") && shown.contains("\n* b│░"))
    terminal.type("quit\n")
    #expect(try await terminal.waitForExit() == 0)
  }

  @Test func `the timeline fits the window and its character set`() async throws {
    let terminal = try await Self.open(
      PlaygroundHome(), environment: ["LANG": "C", "NO_COLOR": ""], columns: 50)
    try await terminal.type("set clock virtual; load SerialQueue\n", expecting: "\n")
    try await terminal.type(
      "serial {\nlong-label: sleep 1s\nx: block 1s\n}\n", expecting: "makespan 2s")
    let shown = try await terminal.expect("critical path\n")
    let widest = shown.split(separator: "\n").map(\.count).max()
    #expect(widest.map { $0 <= 50 } == true, "\(shown)")
    let isASCII = shown.unicodeScalars.allSatisfy { $0.isASCII }
    #expect(isASCII, "\(shown)")
    #expect(terminal.raw.contains("\u{1B}[1;36m>\u{1B}[0m "), "and its colours")
  }

  @Test func `NO_COLOR turns colours off`() async throws {
    let terminal = try await open()
    try await terminal.type("value 1\n", expecting: "→ 1\n")
    let colours = terminal.raw.ranges(of: /\u{1B}\[[0-9;]*m/)
    #expect(colours.isEmpty)
  }

  @Test func `a block is one entry of a persistent history`() async throws {
    let home = try PlaygroundHome()
    let terminal = try await Self.open(home)
    try await terminal.type("set clock virtual; load SerialQueue\n", expecting: "\n> ")
    try await terminal.type("serial {\n", expecting: "\n. ")
    try await terminal.type("  a: sleep 20ms\n", expecting: "\n. ")
    try await terminal.type("}\n", expecting: "makespan 20ms")
    try await terminal.expect("\n> ")
    try await terminal.press(.up, .enter, expecting: "makespan 20ms")
    try await terminal.expect("\n> ")
    try await terminal.type("runs\n", expecting: "2    success  20ms      serial { a: sleep 20ms }")
    try await terminal.expect("\n> ")
    terminal.press(.controlD)
    #expect(try await terminal.waitForExit() == 0)

    let next = try await Self.open(home)
    next.press(.up, .up)
    try await next.expectScreen("the block of the session before") {
      $0.contains { $0.hasSuffix("serial {") } && $0.last == "}"
    }
    try await next.press(.up, .enter, expecting: "\n> ")
    try await next.press(.up, .up, .up, .enter, expecting: "makespan 20ms")
  }

  @Test func `Ctrl-C clears the line`() async throws {
    let terminal = try await open()
    try await terminal.type("nonsense", expecting: "nonsense")
    try await terminal.press(.controlC, expecting: "^C\n> ")
    try await terminal.type("serial {\n", expecting: "\n. ")
    try await terminal.press(.controlC, expecting: "^C\n> ")
    try await terminal.press(.controlC, expecting: "^C\n> ")
    try await terminal.type("value 7\n", expecting: "value 7 · success")
    try await terminal.expect("\n> ")
    terminal.press(.controlD)
    #expect(try await terminal.waitForExit() == 0)
  }

  @Test func `Ctrl-C cancels a run and reports what it was waiting for`() async throws {
    let (terminal, _) = try await interrupted(
      "load SerialQueue; serial { first: value 1; hold: sh \"echo up > started; exec sleep 1000\" }; "
        + "print \"rest\"\n")
    try await terminal.expect("· cancelled")
    try await terminal.expect("It was waiting for hold.")
    let said = try await terminal.type("value 8\n", expecting: "value 8 · success")
    #expect(!said.contains("\nrest"))
  }

  @Test func `Ctrl-C ends a comparison, which is reported`() async throws {
    let terminal = try await open()
    terminal.type(
      "load SerialQueue; compare [ up: print \"it is up\"; hold: never ] under serial runs 3\n")
    try await terminal.expect("\nit is up\n")
    let said = try await terminal.press(.controlC, expecting: "\n> ")
    #expect(said.contains("“serial” was cancelled, so there is nothing to compare:"), "\(said)")
  }

  @Test func `Ctrl-C kills the running command`() async throws {
    let (terminal, line) = try await interrupted("sh \"echo $$ > started; exec sleep 1000\"\n")
    let sleeper = try #require(pid_t(line))
    try await terminal.expect("It was waiting for sh.")
    try await terminal.expect("\n> ")
    #expect(kill(sleeper, 0) == -1)
  }

  @Test func `Ctrl-C in a later block is not a second signal`() async throws {
    let home = try PlaygroundHome()
    let started = try NamedPipe(home.workingFolder + "/started")
    let terminal = try await Self.open(home)
    for _ in 1...3 {
      terminal.type("sh \"echo up > started; exec sleep 1000\"\n")
      _ = try #require(await started.line())
      try await terminal.press(.controlC, expecting: "It was waiting for sh.")
      try await terminal.expect("\n> ")
    }
    try await terminal.type("value 8\n", expecting: "value 8 · success")
  }

  @Test func `Ctrl-C works while a step holds the main lane`() async throws {
    let (terminal, _) = try await interrupted(
      "load RunLoopTransaction; transaction { tell: sh \"echo up > started\" with on: pool; "
        + "a: work 2s; b: print \"b has started\" }; print \"rest\"\n")
    let said = try await terminal.expect("\n> ")
    #expect(said.contains("cancelled · makespan "), "\(said)")
    #expect(!said.contains("\nb has started") && !said.contains("\nrest"), "\(said)")
    try await terminal.type("value 8\n", expecting: "value 8 · success")
    try await terminal.expect("\n> ")
    terminal.press(.controlD)
    #expect(try await terminal.waitForExit() == 0)
  }

  @Test func `a mistake is shown, and the prompt continues`() async throws {
    let terminal = try await open()
    let said = try await terminal.type("print \"ran\"; sleeep 1ms\n", expecting: "\n> ")
    #expect(said.contains("prompt:1:14: error: there is no pattern, step or name “sleeep”\n"))
    #expect(said.contains("\n               ^~~~~~\n"))
    #expect(!said.contains("\nran\n"))
    try await terminal.type("sleep 1ms\n", expecting: "sleep 1ms · success")
  }

  @Test func `a background run appears above the line being typed`() async throws {
    let home = try PlaygroundHome()
    let gate = try NamedPipe(home.workingFolder + "/gate")
    let terminal = try await Self.open(home)
    try await terminal.type("sh \"read x < gate; echo $x\" &\n", expecting: "[1] sh")
    try await terminal.expect("\n> ")
    try await terminal.type("jobs\n", expecting: "[1] running")
    try await terminal.expect("\n> ")
    terminal.type("expect valu")
    try await terminal.expectScreen("the line") { $0.last == "> expect valu" }
    gate.write("through")
    try await terminal.expectScreen("the run above the line") {
      $0.last == "> expect valu" && $0.contains("[1] success")
        && $0.dropLast().last == "→ \"through\""
    }
    try await terminal.type("e == \"through\"\n", expecting: "ok: value == \"through\"")
  }

  @Test func `the initial script runs first`() async throws {
    let home = try PlaygroundHome()
    try home.folder.write(
      "set clock virtual\nload SerialQueue\njob = [ a: sleep 5ms ]\nprint \"welcome\"\n",
      to: "config/async-playground/init.play")
    let terminal = try home.prompt(environment: ["NO_COLOR": "1"])
    try await terminal.expect("welcome\n> ")
    terminal.type("serial job\n")
    try await terminal.expect("makespan 5ms")

    // Only the prompt runs the initial script; `eval` does not.
    let script = try await home.eval("serial job")
    #expect(script.code == 2)
    #expect(!script.output.contains("welcome"))
  }

  @Test func `a mistake in the initial script is shown`() async throws {
    let home = try PlaygroundHome()
    try home.folder.write("valeu 1\n", to: "config/async-playground/init.play")
    let terminal = try home.prompt(environment: ["NO_COLOR": "1"], columns: 300)
    try await terminal.expect("init.play:1:1: error: there is no pattern, step or name “valeu”")
    try await terminal.expect("\n> ")
    try await terminal.type("value 1\n", expecting: "value 1 · success")
  }

  @Test func `a line typed during a run is executed next`() async throws {
    let home = try PlaygroundHome()
    let gate = try NamedPipe(home.workingFolder + "/gate")
    let started = try NamedPipe(home.workingFolder + "/started")
    let terminal = try await Self.open(home)
    terminal.type("sh \"echo up > started; read x < gate\"\n")
    _ = try #require(await started.line())
    terminal.type("value 9\n")
    gate.write("on")
    try await terminal.expect("sh")
    try await terminal.expect("value 9 · success")
  }
}
