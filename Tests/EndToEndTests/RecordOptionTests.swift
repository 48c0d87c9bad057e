import TerminalTesting
import Testing
import TimingTrace

/// The options of `playground record`.
@Suite struct RecordOptionTests {
  @Test func `a run that fails ends the recording of several runs`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.run(
      ["record", "--runs", "6", "--save", "run.jsonl", "--"]
        + [try await ExploredProgram.path, "leave"])
    #expect(outcome.code == 6, "\(outcome)")
    #expect(outcome.output == "", "standard output belongs to the program")
    #expect(outcome.errors.contains("stopped after run 1 of 6, which failed"), "\(outcome)")
    #expect(outcome.errors.contains("saved 1 run"), "\(outcome)")
  }

  @Test func `only the last part of a run is kept`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.run(
      ["record", "--last", "1ns", "--save", "run.jsonl", "--"]
        + [try await ExploredProgram.path, "work"])
    #expect(outcome.errors.contains("recorded 1 task"), "\(outcome)")
    let record = try #require(
      SavedRuns.read(home.workingFolder + "/run.jsonl").runs.first
    ).record
    #expect(record.makespan == 1)
    #expect(record.outcome == .failure)
    #expect(record.steps.filter { $0.pattern == "task" }.map(\.label) == ["main"])
  }

  @Test(arguments: ["0s", "soon", "-1s"])
  func `the last part has a duration above zero`(written: String) async throws {
    let outcome = try await PlaygroundHome().run(
      ["record", "--last=\(written)", "--save", "run.jsonl", "--", "/bin/true"])
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains("--last takes a duration such as 10s, not “\(written)”"))
  }

  @Test(arguments: [["--last", "1s"], ["--children"]])
  func `options of recordings are refused elsewhere`(option: [String]) async throws {
    let outcome = try await PlaygroundHome().run(option + ["eval", "value 1"])
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains("\(option[0]) has an effect only on"), "\(outcome)")
  }

  @Test func `the lower half of the terminal shows a program while it is recorded`() async throws {
    let home = try PlaygroundHome()
    let program = try await ExploredProgram.path
    let words = ["record", "--follow", "--save", "run.jsonl", "--", program, "wait"]
    let terminal = try home.prompt(words)
    try await terminal.expectScreen("the picture below the output") { rows in
      let output = rows.firstIndex(of: "waiting")
      let picture = rows.firstIndex { $0.hasPrefix("explored · running · so far") }
      guard let output, let picture else { return false }
      return output < picture && rows.last == "  1 task, 1 of them unfinished"
    }
    terminal.press(.controlC)
    try await terminal.expect("saved 1 run")
    _ = try await terminal.waitForExit()
    #expect(!terminal.screen.contains { $0.contains("running") }, "\(terminal.screen)")
    let outcome = try await home.run(words)
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains("“playground trace follow run.jsonl” draws the program"))
  }

  @Test func `a recording without a program says where to write it`() async throws {
    let outcome = try await PlaygroundHome().run(["record", "--save", "run.jsonl"])
    #expect(outcome.code == 2, "\(outcome)")
    #expect(
      outcome.errors.contains(
        "write it after --: playground record --save run.jsonl -- ./program"), "\(outcome)")
  }

  @Test func `a program that does not exist is the only error`() async throws {
    let outcome = try await PlaygroundHome().run(["record", "--save", "run.jsonl", "--", "./none"])
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors == "error: there is no program “./none”\n  build it first\n")
  }
}
