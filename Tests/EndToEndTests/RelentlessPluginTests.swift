import Foundation
import TerminalTesting
import Testing

/// The time limit, Ctrl-C and the exit code hold whatever a plugin does.
@Suite struct RelentlessPluginTests {
  private static func home() throws -> PlaygroundHome {
    let home = try PlaygroundHome()
    try home.write(PluginSources.relentless, to: "Relentless.swift")
    return home
  }

  @Test(arguments: ["live", "virtual"])
  func `a pattern that ignores its cancellation ends after the time limit`(
    clock: String
  ) async throws {
    let outcome = try await Self.home().eval(
      "load ./Relentless.swift; again { a: value 1 }; set time-limit 1min; count; block 50ms; count",
      "--clock", clock, "--time-limit", "100ms", "--json", "--save", "kept.runs")
    #expect(outcome.code == 4, "\(outcome)")
    let runs = try outcome.records("run")
    let outcomes = runs.map { $0.string("outcome") }
    #expect(outcomes == ["unfinished", "success", "success", "success"], "\(outcome.errors)")
    let counts = runs.filter { $0.string("pattern") == "count" }.map { $0.integer("value") }
    #expect(counts.count == 2 && counts.first == counts.last, "\(counts)")
    #expect(outcome.errors.contains("\nsaved 4 runs to kept.runs\n"), "\(outcome.errors)")
    // The abandoned run can start only a limited number of steps, so the current event of the simulation ends.
    if clock == "virtual" {
      #expect(!outcome.errors.contains("left running"), "\(outcome.errors)")
    }
  }

  /// Starts a script, and waits until the program says that the main thread is blocked. Two Ctrl-C then end it.
  @Test(arguments: ["holds-main", "holds-main-and-ends"])
  func `a plugin that blocks the main thread is reported`(pattern: String) async throws {
    let home = try Self.home()
    let said = try HeldPipe(home.workingFolder + "/said")
    let child = try Child(
      [
        "sh", "-c", "exec \"$0\" --time-limit 100ms eval \"$1\" 2> said",
        PlaygroundProcess.executable, "load ./Relentless.swift; \(pattern); value 2",
      ], in: home.workingFolder, environment: home.environment)
    for message in ["", "; another Ctrl-C or SIGTERM"] {
      var text = ""
      while !text.contains("something blocks the main thread" + message) {
        try #require(await said.isWrittenTo(), "\(text)")
        text += said.text()
      }
      child.signal(SIGINT)
    }
    #expect(try await child.outcome().code == 130)
  }

  @Test(arguments: ["live", "virtual"], ["exit", "_exit", "_Exit", "quick_exit"])
  func `a plugin that calls exit does not end a script with success`(
    clock: String, function: String
  ) async throws {
    let outcome = try await Self.home().eval(
      "load ./Relentless.swift; value 1; exits(\"\(function)\"); expect outcome == failure",
      "--clock", clock, "--json", "--save", "kept.runs")
    #expect(outcome.code == 4, "\(outcome)")
    #expect(
      outcome.errors.contains("error: a plugin or a step called exit, so the rest of the script "),
      "\(outcome)")
    #expect(outcome.errors.contains("ended by a call of exit: “exits"), "\(outcome)")
    #expect(outcome.errors.contains("\nsaved 2 runs to kept.runs\n"), "\(outcome)")
    #expect(try outcome.records("error").count == 1, "\(outcome)")
    let outcomes = try outcome.records("run").map { $0.string("outcome") }
    // On a busy machine the program does not wait for the end of the cancelled run.
    try #require(outcomes.count == 2 && outcomes[0] == "success", "\(outcome)")
    #expect(outcomes[1] == "cancelled" || outcomes[1] == "unfinished", "\(outcome)")
  }

  /// Eight threads with stacks of 500 MB do not fit into 3 GB.
  @Test func `a program that cannot have its threads says so`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await Child(
      [
        "sh", "-c", "ulimit -s 500000; ulimit -v 3000000; exec \"$0\" eval 'value 1'",
        PlaygroundProcess.executable,
      ], in: home.workingFolder, environment: home.environment
    ).outcome()
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains("fewer than 9 threads"), "\(outcome)")
  }
}
