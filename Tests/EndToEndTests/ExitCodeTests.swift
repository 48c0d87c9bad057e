import Foundation
import Testing

/// The exit code of a script.
@Suite struct ExitCodeTests {
  static let codes: [(script: String, code: Int32)] = [
    ("", 0),
    ("value 1", 0),
    ("value 1; expect value == 1", 0),
    ("value 1; expect value == 2", 1),
    ("nonsense 1", 2),
    ("value 1; show 99", 2),
    (#"fail "no""#, 3),
    ("never", 4),
    // The run ended as the script expected.
    (#"fail "no"; expect outcome == failure"#, 0),
    ("never; expect outcome == unfinished", 0),
    (#"fail "no"; expect outcome != success"#, 0),
    // The run did not end as expected, or the script expected nothing of it.
    (#"fail "no"; expect outcome == unfinished"#, 3),
    (#"fail "no"; value 1; expect outcome == success"#, 3),
    (#"fail "no"; expect makespan == 0"#, 3),
    // Of several codes, the most serious one.
    (#"fail "no"; value 1; expect value == 2"#, 3),
    (#"value 1; expect value == 2; fail "no"; never"#, 4),
    (#"never; fail "no"; value 1; expect value == 2"#, 4),
    (#"value 1; expect value == 2; show 99; never; fail "no""#, 2),
  ]

  @Test(arguments: codes)
  func `the most severe outcome of a script is its exit code`(
    script: String, code: Int32
  ) async throws {
    let outcome = try await PlaygroundHome().eval(script, "--clock", "virtual")
    #expect(outcome.code == code, "\(script)\n\(outcome)")
  }

  @Test func `a script continues after an error`() async throws {
    let outcome = try await PlaygroundHome().eval(
      """
      never
      fail "no"
      value 1
      expect value == 2
      print "the end"
      """, "--clock", "virtual")
    #expect(outcome.code == 4)
    #expect(outcome.output.contains("\nthe end\n"))
    #expect(outcome.errors == "eval:4: expected value == 2, but it is 1\n")
  }

  @Test func `the time limit ends a live run`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "never; print \"on\"", "--time-limit", "500ms", "--json")
    #expect(outcome.code == 4)
    let runs = try outcome.records("run")
    #expect(runs.map { $0.string("outcome") } == ["unfinished", "success"])
    #expect(outcome.errors.contains("It was stopped at the time limit, 500ms"))
    #expect(outcome.errors.contains("It was waiting for never."))
  }

  /// The file that is saved says so, too.
  @Test(arguments: [("sleep 20s", false), ("block 2s", false), ("never", true)])
  func `at the time limit, a step that would have ended is not called lost`(
    _ step: String, _ isLost: Bool
  ) async throws {
    let outcome = try await PlaygroundHome().eval(
      "\(step)\ntrace save \"run.jsonl\"\ntrace lint \"run.jsonl\"", "--time-limit", "300ms")
    #expect(outcome.code == 4, "\(outcome)")
    let said = outcome.output + outcome.errors
    #expect(said.contains("never-completed") == isLost, "\(outcome)")
    #expect(!said.contains("nothing woke it"), "\(outcome)")
  }

  /// Such a sleep records no event.
  @Test func `a virtual run that the time limit ends lasts until then`() async throws {
    let sleeps = "while true { try await Task.sleep(for: .seconds(1)) }"
    let outcome = try await PlaygroundHome().eval(
      """
      swift { \(sleeps) }
      swift { Task(name: "ticker") { \(sleeps) }; return 5 }
      """, "--clock", "virtual", "--time-limit", "500ms", "--json")
    #expect(outcome.code == 4, "\(outcome)")
    let runs = try outcome.records("run")
    #expect(runs.map { $0.string("outcome") } == ["unfinished", "unfinished"], "\(outcome)")
    #expect(runs.allSatisfy { $0.integer("makespan_ns") ?? 0 > 1_000_000_000 }, "\(outcome)")
  }

  /// The next step on main does not start.
  @Test func `the time limit applies while a step holds the main lane`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.eval(
      "load RunLoopTransaction; transaction { a: work 2s; b: sh \"touch began\" }",
      "--time-limit", "500ms", "--clock", "live", "--json")
    #expect(outcome.code == 4, "\(outcome)")
    #expect(outcome.errors.contains("It was stopped at the time limit, 500ms"), "\(outcome)")
    let steps = try #require(try outcome.records("run").first?.objects("steps"))
    let b = try #require(steps.first { $0.string("path") == "b" })
    #expect(b.isNull("started_ns"), "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: home.workingFolder + "/began"))
  }

  @Test(arguments: ["live", "virtual"])
  func `a blocking queue that never ends is stopped`(clock: String) async throws {
    let outcome = try await PlaygroundHome().eval(
      "load SerialQueue; serial.semaphore { a: sleep 1ms; b: never; c: sleep 1ms }",
      "--time-limit", "1s", "--clock", clock)
    #expect(outcome.code == 4)
    #expect(outcome.output.contains("It was waiting for b."), "\(outcome)")
  }

  @Test(arguments: ["live", "virtual"])
  func `the run after a step that never returns has workers`(clock: String) async throws {
    let home = try PlaygroundHome()
    try home.write(
      """
      import AsyncPatterns
      import Foundation

      struct Stuck: Plugin {
        static let name = "Stuck"
        static let summary = "Has a pattern that never returns."
        static let patterns: [any AsyncPattern.Type] = [StuckPattern.self]
      }

      struct StuckPattern: AsyncPattern {
        static let manual = Manual(name: "stuck", summary: "Never returns.", steps: .none)
        init(_ arguments: Arguments) {}
        func start(
          _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
        ) {
          let condition = NSCondition()
          condition.lock()
          while true { condition.wait() }
        }
      }
      """, to: "Stuck.swift")
    let outcome = try await home.eval(
      "load ./Stuck.swift; stuck; sleep 1ms", "--clock", clock, "--workers", "1",
      "--time-limit", "300ms", "--json")
    #expect(outcome.code == 4)
    let runs = try outcome.records("run")
    #expect(runs.map { $0.string("outcome") } == ["unfinished", "success"], "\(outcome)")
    #expect(outcome.errors.contains("was left running"))
  }

  @Test func `several scripts share a session and one exit code`() async throws {
    let home = try PlaygroundHome()
    try home.write("job = [ a: value 1 ]; fail \"no\"", to: "first.play")
    try home.write("load SerialQueue; serial job; expect value == 1", to: "second.play")
    let outcome = try await home.run(["run", "first.play", "second.play", "--clock", "virtual"])
    #expect(outcome.code == 3)
    #expect(outcome.output.contains("ok: value == 1"))
  }
}

/// Ctrl-C while a script runs.
@Suite struct InterruptTests {
  /// The command itself notifies the test that it runs, so the test depends on no timing.
  @Test func `Ctrl-C ends the script and the processes that it started`() async throws {
    let home = try PlaygroundHome()
    let started = try NamedPipe(home.workingFolder + "/started")
    let process = try home.start([
      "--json", "eval", "show 99; sh \"echo $$ > started; exec sleep 1000\"; print \"more\"",
    ])
    let line = try #require(await started.line())
    let sleeper = try #require(pid_t(line))
    #expect(kill(sleeper, 0) == 0)
    process.interrupt()
    let outcome = try await process.outcome()
    #expect(outcome.code == 130, "130 comes before 2: \(outcome)")
    #expect(try outcome.records("run").map { $0.string("outcome") } == ["cancelled"])
    #expect(outcome.errors.contains("It was waiting for sh."))
    #expect(!outcome.errors.contains("more"), "what comes after it is not run")
    #expect(kill(sleeper, 0) == -1, "nothing of it is left")
  }

  /// Two steps that hold main, and before them a step on the pool that notifies the test.
  private static let held = "tell: sh \"echo up > started\" with on: pool; a: work 2s; b: work 2s"

  @Test func `Ctrl-C works while a step holds the main lane`() async throws {
    let home = try PlaygroundHome()
    let started = try NamedPipe(home.workingFolder + "/started")
    let process = try home.start([
      "--json", "eval", "load RunLoopTransaction; transaction { \(Self.held) }; value 1",
    ])
    _ = try #require(await started.line())
    process.interrupt()
    let outcome = try await process.outcome()
    #expect(outcome.code == 130, "\(outcome)")
    let runs = try outcome.records("run")
    #expect(runs.map { $0.string("outcome") } == ["cancelled"], "what comes after it is not run")
    let steps = try #require(runs.first?.objects("steps"))
    let b = try #require(steps.first { $0.string("path") == "b" })
    #expect(b.isNull("started_ns"), "b started after Ctrl-C: \(outcome)")
  }

  @Test func `in a terminal, Ctrl-C works while a step holds main`() async throws {
    let home = try PlaygroundHome()
    let started = try NamedPipe(home.workingFolder + "/started")
    let terminal = try home.prompt([
      "eval", "load RunLoopTransaction; transaction { \(Self.held) }; print \"rest\"",
    ])
    _ = try #require(await started.line())
    terminal.press(.controlC)
    #expect(try await terminal.waitForExit() == 130)
    #expect(terminal.transcript.contains("· cancelled"), "\(terminal.transcript)")
    #expect(!terminal.transcript.contains("\nrest"))
  }

  @Test func `a second Ctrl-C ends the program, and the file keeps its runs`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.interruptTwice([
      "--save", "done.runs", "eval", "value 7; " + HeldMainTests.transaction("a: work 10min"),
    ])
    #expect(outcome.code == 130, "\(outcome)")
    let saved = try await home.run(["--json", "trace", "show", "done.runs"])
    let runs = try saved.records("run")
    #expect(runs.map { $0.integer("value") } == [7, nil], "\(saved)")
    #expect(runs.last?.string("outcome") == "unfinished", "\(saved)")
  }
}
