import Foundation
import TerminalTesting
import Testing

/// A step that holds the main lane does not prevent the user from ending the program or from getting messages.
@Suite struct HeldMainTests {
  /// The code with which a shell waits until the step beside it holds the main lane. It waits until the main thread of
  /// the program has used a tenth of a second of processor time; the shell counts hundredths of a second.
  private static let untilHeld =
    "set -f; used() { read -r line < /proc/$PPID/task/$PPID/stat; set -- $line; now=$((${14} + ${15})); }; "
    + "used; first=$now; until [ $now -ge $((first + 10)) ]; do used; done; "

  /// A transaction with a shell beside its steps. The shell notifies the test as soon as the steps hold the main lane.
  static func transaction(
    _ steps: String, beside shell: String = "exec 9> held; echo up > started"
  ) -> String {
    "load RunLoopTransaction; "
      + "transaction { tell: sh \"\(untilHeld)\(shell)\" with on: pool; \(steps) }"
  }

  private static let told =
    "“a” blocks the main thread; another Ctrl-C or SIGTERM ends the program immediately\n"

  @Test(arguments: ["", " &"])
  func `at the prompt it is reported, and the next Ctrl-C ends the program`(
    background: String
  ) async throws {
    let home = try PlaygroundHome()
    let held = try HeldPipe(home.workingFolder + "/held")
    let started = try NamedPipe(home.workingFolder + "/started")
    let terminal = try await PromptTests.open(home)
    terminal.type(Self.transaction("a: work 10min") + background + "\n")
    _ = try #require(await started.line())
    try #require(await held.isReleased())
    terminal.press(.controlC)
    try await terminal.expect(Self.told)
    terminal.press(.controlC)
    #expect(try await terminal.waitForExit() == 130)
  }

  @Test func `the terminal is restored`() async throws {
    let home = try PlaygroundHome()
    let started = try NamedPipe(home.workingFolder + "/started")
    let terminal = try PseudoTerminal(
      executable: "/bin/sh",
      arguments: [
        "-c", "cd \"$0\"; trap : INT; stty -g > before; \"$1\"; stty -g > after; echo over",
        home.workingFolder, PlaygroundProcess.executable,
      ], environment: home.environment)
    try await terminal.expect("> ")
    terminal.type(Self.transaction("a: work 10min", beside: "echo up > started") + " &\n")
    _ = try #require(await started.line())
    terminal.press(.controlC)
    try await terminal.expect(Self.told)
    try await terminal.press(.controlC, expecting: "over\n")
    let states = try ["before", "after"].map {
      try String(contentsOfFile: home.workingFolder + "/" + $0, encoding: .utf8)
    }
    #expect(states[0] == states[1])
  }

  /// Runs a script, and sends SIGTERM when one of its commands has written to the pipe “started”.
  private static func terminated(
    _ home: PlaygroundHome, _ arguments: [String]
  ) async throws -> PlaygroundProcess.Outcome {
    let started = try NamedPipe(home.workingFolder + "/started")
    let process = try home.start(arguments)
    _ = try #require(await started.line())
    process.signal(SIGTERM)
    return try await process.outcome()
  }

  @Test func `runs in progress have records and are saved and reported`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await Self.terminated(
      home,
      [
        "--json", "--save", "done.runs", "--report", "done.html", "eval",
        "value 7; never &; \(Self.transaction("a: work 10min")); value 8",
      ])
    #expect(outcome.code == 128 + SIGTERM, "\(outcome)")
    let runs = try outcome.records("run")
    let expected = ["value 7 success", "never cancelled", "transaction cancelled"]
    #expect(Self.told(runs) == expected, "\(outcome)")
    #expect(outcome.errors.contains("ended by SIGTERM: [2] “never” (cancelled"), "\(outcome)")
    let never = try #require(runs[1].objects("steps").first)
    let times = try ["started_ns", "cancelled_ns", "finished_ns"].map {
      try #require(never.integer($0), "\(outcome)")
    }
    #expect(times == times.sorted(), "\(outcome)")
    #expect(outcome.errors.contains("\nsaved 3 runs to done.runs\n"), "\(outcome)")
    #expect(outcome.errors.contains("\nreported 3 runs to done.html\n"), "\(outcome)")
    let saved = try await home.run(["--json", "trace", "show", "done.runs"])
    #expect(try Self.told(saved.records("run")) == expected, "\(saved)")
    let page = try String(contentsOfFile: home.workingFolder + "/done.html", encoding: .utf8)
    #expect(page.contains("\"outcome\":\"cancelled\""))
  }

  @Test func `a report that cannot be written is an error`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await Self.terminated(
      home, ["--json", "--report", "/dev/full", "eval", Self.transaction("a: work 10min")])
    #expect(outcome.code == 128 + SIGTERM, "\(outcome)")
    #expect(outcome.errors.contains("/dev/full: it cannot be written: no space"), "\(outcome)")
    #expect(try outcome.records("error").count == 1, "\(outcome)")
  }

  /// The program can make no progress, and the record of the finished run is only partly written.
  @Test func `a record that is not read is reported as lost`() async throws {
    let home = try PlaygroundHome()
    let output = try HeldPipe(home.workingFolder + "/output")
    let said = try HeldPipe(home.workingFolder + "/said")
    // Longer than the capacity of a pipe.
    let value = String(repeating: "x", count: 100_000)
    let child = try Child(
      [
        "sh", "-c", "exec \"$0\" --json --clock virtual eval \"$1\" > output 2> said",
        PlaygroundProcess.executable, "value \"\(value)\"",
      ], in: home.workingFolder, environment: home.environment)
    try #require(await output.isWrittenTo())
    child.signal(SIGTERM)
    #expect(try await child.outcome().code == 128 + SIGTERM)
    #expect(
      said.text() == """
          the program has not finished yet; another Ctrl-C or SIGTERM ends the program immediately
        error: nothing reads standard output, so the last records are lost

        """)
  }

  private static func told(_ runs: [JSONRecord]) -> [String] {
    runs.map { "\($0.string("name")?.prefix { $0 != "{" } ?? "")" + ($0.string("outcome") ?? "") }
      .map { $0.replacing("value 7s", with: "value 7 s").replacing("neverc", with: "never c") }
  }

  // MARK: Messages when the step returns

  @Test func `at the time limit only the step that kept running is reported`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "load RunLoopTransaction; transaction { a: work 3s; b: value 1 }", "--time-limit", "500ms",
      "--clock", "live")
    #expect(outcome.code == 4, "\(outcome)")
    #expect(
      outcome.errors.contains(
        "“a” blocks the main thread, so it cannot be stopped at the time limit; "))
    #expect(outcome.output.contains("It was stopped at the time limit, 500ms"), "\(outcome)")
    #expect(outcome.output.contains("It was waiting for a."), "\(outcome)")
    #expect(
      outcome.output.contains("“a” blocked the main thread for another "),
      "\(outcome)")
    for wrong in ["left running", "never-completed"] {
      #expect(!outcome.output.contains(wrong), "\(outcome)")
    }
  }

  @Test func `after Ctrl-C only the step that kept running is reported`() async throws {
    let home = try PlaygroundHome()
    let started = try NamedPipe(home.workingFolder + "/started")
    let process = try home.start([
      "eval",
      Self.transaction("a: work 3s; b: value 1", beside: "echo up > started; exec sleep 1000"),
    ])
    _ = try #require(await started.line())
    process.interrupt()
    let outcome = try await process.outcome()
    #expect(outcome.code == 130, "\(outcome)")
    #expect(outcome.errors.contains(Self.told), "\(outcome)")
    #expect(outcome.output.contains("\ncancelled · makespan "), "\(outcome)")
    #expect(outcome.output.contains("It was waiting for tell, a."), "\(outcome)")
    #expect(
      outcome.output.contains("“a” blocked the main thread for another "),
      "\(outcome)")
    #expect(!outcome.output.contains("left running"), "\(outcome)")
    // The step has completed, although late.
    #expect(!outcome.output.contains("never-completed"), "\(outcome)")
  }
}
