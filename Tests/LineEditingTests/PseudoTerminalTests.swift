import TerminalTesting
import Testing

/// The pseudo-terminal of the tests reports failures and behaves like a terminal.
@Suite struct PseudoTerminalTests {
  @Test func `missing output is an error with the transcript`() async throws {
    let terminal = try PseudoTerminal(executable: "/bin/cat")
    try await terminal.type("one\n", expecting: "one\none\n")
    // Already matched: only output after the last match counts.
    let error = await #expect(throws: TerminalError.self) {
      try await terminal.expect("one", within: .milliseconds(20))
    }
    #expect(error?.description.contains("one\none\n") == true)
  }

  @Test func `the end of the program ends the wait`() async throws {
    let terminal = try PseudoTerminal(executable: "/bin/sh", arguments: ["-c", "echo x; exit 3"])
    await #expect(throws: TerminalError.self) { try await terminal.expect("y") }
    try await terminal.expect("x")
    #expect(try await terminal.waitForExit() == 3)
    await #expect(throws: TerminalError.self) { try await terminal.expect("y") }
  }

  @Test func `Ctrl-C interrupts the program`() async throws {
    let terminal = try PseudoTerminal(
      executable: "/bin/sh",
      arguments: ["-c", "trap 'echo caught; exit 5' INT; echo ready; read x"])
    try await terminal.expect("ready")
    try await terminal.press(.controlC, expecting: "caught")
    #expect(try await terminal.waitForExit() == 5)
  }

  @Test func `the program gets the window's size`() async throws {
    let terminal = try PseudoTerminal(
      executable: "/bin/sh", arguments: ["-c", "stty size; read x; stty size"],
      environment: ["PATH": "/usr/bin:/bin"], columns: 70, rows: 20)
    try await terminal.expect("20 70")
    terminal.resize(columns: 30, rows: 10)
    try await terminal.press(.enter, expecting: "10 30")
  }

  @Test func `escape sequences change the screen, not the transcript`() async throws {
    let script = #"printf 'abc\rX\033[2Cd\033[1;31mred\033[0m\n12345\033[3D\033[K|\n\033[2A\033[P'"#
    let terminal = try PseudoTerminal(executable: "/bin/sh", arguments: ["-c", script])
    #expect(try await terminal.waitForExit() == 0)
    #expect(terminal.screen == ["bcdred", "12|"])
    #expect(terminal.transcript == "abc\nXdred\n12345|\n")
  }

  @Test func `a missing program is an error`() {
    let error = #expect(throws: SpawnError.self) {
      try PseudoTerminal(executable: "/no/such/program")
    }
    #expect(error?.description == "/no/such/program: No such file or directory")
  }
}
