import Foundation
import TerminalTesting
import Testing

/// Saving files while signals arrive. After the first signal, the files are still saved, even if the program was
/// already about to end. The next signal ends the program immediately.
///
/// A page is larger than the capacity of a pipe, so the program cannot finish writing until the test reads it.
@Suite struct SignalledEndTests {
  /// The message of a program that has been asked to end and has not ended yet.
  private static let late = "another Ctrl-C or SIGTERM ends the program immediately"

  /// A program that writes its messages to one pipe and its report to another.
  private struct Reporting {
    let child: Child
    let page: HeldPipe
    private let said: HeldPipe

    init(_ script: String, _ options: String = "", in home: PlaygroundHome) throws {
      page = try HeldPipe(home.workingFolder + "/page.html")
      said = try HeldPipe(home.workingFolder + "/said")
      child = try Child(
        [
          "sh", "-c", "exec \"$0\" --report page.html \(options) eval \"$1\" 2> said",
          PlaygroundProcess.executable, script,
        ], in: home.workingFolder, environment: home.environment)
    }

    /// Waits until the program has printed all of these messages.
    func says(_ texts: String...) async throws {
      var all = ""
      while !texts.allSatisfy({ all.contains($0) }) {
        try #require(await said.isWrittenTo(), "\(all)")
        all += said.text()
      }
    }
  }

  private static func whole(_ page: HeldPipe) async -> Bool {
    var text = ""
    while await page.isWrittenTo() { text += page.text() }
    return text.trimmingCharacters(in: .newlines).hasSuffix("</html>")
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `a report in progress is completed after a signal`(signal: Int32) async throws {
    let home = try PlaygroundHome()
    let program = try Reporting("value 1", in: home)
    try #require(await program.page.isWrittenTo())
    program.child.signal(signal)
    try await program.says(Self.late)
    #expect(await Self.whole(program.page))
    let outcome = try await program.child.outcome()
    #expect(outcome.code == 0 && outcome.output.contains("reported 1 run"), "\(outcome)")
  }

  /// Both `timeout` and the end of a session send signals like this.
  @Test func `signals that arrive at the same time count as one`() async throws {
    let home = try PlaygroundHome()
    let program = try Reporting("value 1", in: home)
    try #require(await program.page.isWrittenTo())
    for signal in [SIGSTOP, SIGTERM, SIGHUP, SIGCONT] { program.child.signal(signal) }
    try await program.says(Self.late)
    #expect(await Self.whole(program.page))
    #expect(try await program.child.outcome().code == 0)
  }

  /// The message about the command that the first signal ended comes before the files are saved.
  @Test(arguments: [SIGTERM, SIGHUP], [SIGTERM, SIGHUP, SIGINT])
  func `the second signal ends the program immediately`(first: Int32, second: Int32) async throws {
    let home = try PlaygroundHome()
    let started = try NamedPipe(home.workingFolder + "/started")
    let held = try HeldPipe(home.workingFolder + "/held")
    let program = try Reporting(
      "value 1; sh \"\(LeftProcessesTests.stubborn)\"", "--save kept.runs",
      in: home)
    _ = try #require(await started.line())
    program.child.signal(first)
    try await program.says("ended by SIG\(first == SIGHUP ? "HUP" : "TERM"): “sh", Self.late)
    #expect(await held.isReleased())
    try #require(await program.page.isWrittenTo())
    program.child.signal(second)
    let code = try await program.child.outcome().code
    #expect(code == (second == SIGINT ? 130 : 128 + second))
    let saved = try await home.run(["--json", "trace", "show", "kept.runs"])
    #expect(
      try saved.records("run").map { $0.string("outcome") } == ["success", "cancelled"], "\(saved)")
  }

  /// Ctrl-C is a key: two signals mean that the user pressed it twice.
  @Test(arguments: [SIGTERM, SIGINT])
  func `Ctrl-C need not wait for the report`(first: Int32) async throws {
    let home = try PlaygroundHome()
    let program = try Reporting("value 1", in: home)
    try #require(await program.page.isWrittenTo())
    await program.child.deliver(first)
    if first == SIGINT { try await program.says(Self.late) }
    program.child.signal(SIGINT)
    #expect(try await program.child.outcome().code == 130)
  }

  // MARK: At the prompt

  /// A prompt that the user has left and that is writing its report.
  private static func left(_ home: PlaygroundHome, _ page: HeldPipe) async throws -> PseudoTerminal
  {
    let terminal = try home.prompt(["--report", "page.html"], environment: ["NO_COLOR": "1"])
    try await terminal.expect("\n> ")
    try await terminal.type("value 1\n", expecting: "value 1 · success")
    try await terminal.expect("\n> ")
    terminal.press(.controlD)
    try #require(await page.isWrittenTo())
    return terminal
  }

  @Test(arguments: [SIGHUP, SIGTERM, SIGINT])
  func `a signal at the prompt lets the report complete`(signal: Int32) async throws {
    let home = try PlaygroundHome()
    let page = try HeldPipe(home.workingFolder + "/page.html")
    let terminal = try await Self.left(home, page)
    if signal == SIGINT { terminal.press(.controlC) } else { terminal.signal(signal) }
    try await terminal.expect("ends the program immediately")
    #expect(await Self.whole(page))
    #expect(try await terminal.waitForExit() == 0)
    #expect(terminal.transcript.contains("reported 1 run"), "\(terminal.transcript)")
  }

  @Test func `the second Ctrl-C ends the prompt immediately`() async throws {
    let home = try PlaygroundHome()
    let page = try HeldPipe(home.workingFolder + "/page.html")
    let terminal = try await Self.left(home, page)
    try await terminal.press(.controlC, expecting: "ends the program immediately")
    terminal.press(.controlC)
    #expect(try await terminal.waitForExit() == 130)
  }

  /// The program ignores text that is typed while a signal ends the prompt, and the terminal has the same settings as
  /// before.
  @Test func `the terminal is restored while a signal ends the prompt`() async throws {
    let home = try PlaygroundHome()
    let page = try HeldPipe(home.workingFolder + "/page.html")
    let terminal = try PseudoTerminal(
      executable: "/bin/sh",
      arguments: [
        "-c",
        "cd \"$0\"; stty -g > before; \"$1\" --report page.html; code=$?; stty -g > after; echo over $code",
        home.workingFolder, PlaygroundProcess.executable,
      ], environment: home.environment)
    let started = try NamedPipe(home.workingFolder + "/started")
    try await terminal.expect("> ")
    terminal.type("sh \"echo $PPID > started\"\n")
    let line = try #require(await started.line())
    let process = try #require(pid_t(line))
    try await terminal.expect("\n> ")
    kill(process, SIGTERM)
    try #require(await page.isWrittenTo())
    try await terminal.type("value 2\n\n", expecting: "ends the program immediately")
    #expect(await Self.whole(page))
    try await terminal.expect("over 143\n")
    #expect(!terminal.transcript.contains("value 2 · success"), "\(terminal.transcript)")
    let states = try ["before", "after"].map {
      try String(contentsOfFile: home.workingFolder + "/" + $0, encoding: .utf8)
    }
    #expect(states[0] == states[1])
  }
}
