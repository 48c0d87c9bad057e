import Foundation
import TerminalTesting
import Testing

/// Commands that a step has started do not outlive the program.
@Suite struct LeftProcessesTests {
  /// A command that notifies the test when it runs. It ignores the request to end, and keeps a pipe open as long as it
  /// lives.
  static let stubborn =
    "exec 9> held; trap : TERM; echo up > started; while :; do sleep 0.05; done"

  @Test(arguments: ["", "load RunLoopTransaction; transaction { a: work 10min } &; "])
  func `a second Ctrl-C kills a command that ignores the first`(before: String) async throws {
    let home = try PlaygroundHome()
    let held = try HeldPipe(home.workingFolder + "/held")
    let outcome = try await home.interruptTwice(["eval", before + "sh \"\(Self.stubborn)\""])
    #expect(outcome.code == 130, "\(outcome)")
    #expect(await held.isReleased())
  }

  @Test func `leaving the prompt ends the runs in the background`() async throws {
    let home = try PlaygroundHome()
    let held = try HeldPipe(home.workingFolder + "/held")
    let started = try NamedPipe(home.workingFolder + "/started")
    let terminal = try await PromptTests.open(home)
    terminal.type("sh \"\(Self.stubborn)\" &\n")
    _ = try #require(await started.line())
    try await terminal.expect("\n> ")
    terminal.press(.controlD)
    #expect(try await terminal.waitForExit() == 0)
    #expect(
      terminal.transcript.contains("ended with the program: [1] “sh"), "\(terminal.transcript)")
    #expect(await held.isReleased())
  }

  /// A step that holds the main lane cannot respond to a signal.
  @Test(
    arguments: [SIGTERM, SIGHUP, SIGQUIT],
    ["", "load RunLoopTransaction; transaction { a: work 10min } &; "])
  func `a signal that ends the program ends its commands`(
    signal: Int32, before: String
  ) async throws {
    let home = try PlaygroundHome()
    let held = try HeldPipe(home.workingFolder + "/held")
    let started = try NamedPipe(home.workingFolder + "/started")
    // SIGQUIT must not leave a core file.
    let child = try Child(
      [
        "sh", "-c", "ulimit -c 0; exec \"$0\" eval \"$1\"", PlaygroundProcess.executable,
        before + "sh \"\(Self.stubborn)\"",
      ], in: home.workingFolder, environment: home.environment)
    _ = try #require(await started.line())
    child.signal(signal)
    let outcome = try await child.outcome()
    #expect(outcome.code == 128 + signal)
    #expect(await held.isReleased())
    let names = [SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"]
    // SIGQUIT ends the program without a word, and without the backtrace of a crash.
    let said = names[signal].map { outcome.errors.contains("ended by \($0): ") }
    #expect(said ?? outcome.errors.isEmpty, "\(outcome)")
  }

  @Test func `files are saved before a signal ends the program`() async throws {
    let home = try PlaygroundHome()
    let started = try NamedPipe(home.workingFolder + "/started")
    let process = try home.start([
      "--json", "--save", "done.runs", "--report", "done.html", "eval",
      "value 7; sh \"\(Self.stubborn)\"; value 8",
    ])
    _ = try #require(await started.line())
    process.signal(SIGTERM)
    let outcome = try await process.outcome()
    #expect(outcome.code == 128 + SIGTERM, "\(outcome)")
    let expected = ["success", "cancelled"]
    #expect(try outcome.records("run").map { $0.string("outcome") } == expected, "\(outcome)")
    let saved = try await home.run(["--json", "trace", "show", "done.runs"])
    #expect(try saved.records("run").map { $0.string("outcome") } == expected, "\(saved)")
    let page = try String(contentsOfFile: home.workingFolder + "/done.html", encoding: .utf8)
    #expect(page.contains("\"outcome\":\"cancelled\""))
  }

  @Test func `a signal that ends the prompt ends its commands`() async throws {
    let home = try PlaygroundHome()
    let held = try HeldPipe(home.workingFolder + "/held")
    let started = try NamedPipe(home.workingFolder + "/started")
    let terminal = try await PromptTests.open(home)
    terminal.type("sh \"\(Self.stubborn)\"\n")
    _ = try #require(await started.line())
    terminal.signal(SIGHUP)
    #expect(try await terminal.waitForExit() == 128 + SIGHUP)
    #expect(await held.isReleased())
  }

  /// The leader of the process group has ended, and its child has none of the step's files open.
  @Test func `a process that a command leaves on purpose keeps running`() async throws {
    let home = try PlaygroundHome()
    let held = try HeldPipe(home.workingFolder + "/held")
    let gate = try NamedPipe(home.workingFolder + "/gate")
    let outcome = try await home.eval(
      "sh \"(exec 9> held; read x < gate; echo $x > said) >/dev/null 2>&1 </dev/null & sleep 0\"")
    #expect(outcome.code == 0, "\(outcome)")
    gate.write("on")
    #expect(await held.isReleased())
    #expect(
      try String(contentsOfFile: home.workingFolder + "/said", encoding: .utf8) == "on\n")
  }
}
