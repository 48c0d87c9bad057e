import Foundation
import Testing

/// The file of saved runs that a killed program leaves behind.
@Suite struct KilledRunTests {
  private static func killed(in home: PlaygroundHome) async throws {
    // The step waits until the file contains its own start, after those of its run and of the two steps before it.
    let wait =
      "tail -n +1 --pid=$PPID -F killed.runs 2>/dev/null | while read -r line; do "
      + "case $line in {?run?:2,?e?:?started?*) n=$((n + 1)); [ $n -lt 4 ] || kill -9 $PPID; esac; done"
    let outcome = try await home.eval(
      """
      load SerialQueue
      serial { before: value 1 }
      serial { a: sleep 1ms; b: value 2; last: sh "\(wait)" }
      """, "--clock", "live", "--save", "killed.runs")
    #expect(outcome.code == 128 + SIGKILL, "\(outcome)")
  }

  @Test func `a run that was in progress is kept as far as it got`() async throws {
    let home = try PlaygroundHome()
    try await Self.killed(in: home)
    let shown = try await home.run(["trace", "show", "killed.runs", "--json"])
    let runs = try shown.records("run")
    #expect(runs.map { $0.string("outcome") } == ["success", "unfinished"], "\(shown)")
    let steps = try #require(runs.last).objects("steps")
    #expect(steps.map { $0.string("label") } == ["a", "b", "last"], "\(shown)")
    #expect(steps.map { $0.string("outcome") } == ["success", "success", "unfinished"])
    #expect(runs.last?.string("error")?.contains("The program ended") == true)
    // The end of the program does not mean that the step would never have completed.
    #expect(runs.last?.bool("incomplete") == true)
    let lints = try await home.run(["trace", "lint", "killed.runs"])
    #expect(lints.code == 0 && lints.output == "0 findings in 2 runs\n", "\(lints)")
  }

  @Test func `a killed run can be compared`() async throws {
    let home = try PlaygroundHome()
    try await Self.killed(in: home)
    let outcome = try await home.run(["compare", "killed.runs", "killed.runs", "--json"])
    let record = try #require(outcome.records("compare").last)
    let warnings = record.strings("warnings") ?? []
    #expect(
      warnings.contains { $0.contains("1 of 1 runs of killed.runs did not finish") }, "\(outcome)")
    #expect(record.objects("rows").map { $0.integer("runs") } == [0, 0], "\(outcome)")
    // No run was measured to its end, and that is not a success.
    #expect(outcome.code == 4, "\(outcome)")
  }

  /// It is unknown how long the run would have taken, even if it ended cleanly or its result was already there.
  @Test(arguments: [("never", "cancelled"), ("group.naive { a: never }", "success")])
  func `a cancelled run has no measurements`(run: String, outcome: String) async throws {
    let home = try PlaygroundHome()
    let made = try await home.eval(
      "load OperationGraph; job = \(run); job &; sleep 1ms; cancel 1; wait", "--save", "a.runs")
    #expect(made.code == 0, "\(made)")
    let shown = try await home.run(["--json", "trace", "show", "a.runs"]).records("run")
    #expect(shown.map { $0.string("outcome") } == ["success", outcome], "\(made)")
    #expect(shown.map { $0.bool("incomplete") } == [nil, true])
    let compared = try await home.run(["--json", "compare", "a.runs", "a.runs"])
    let rows = try compared.records("compare").last?.objects("rows")
    #expect(rows?.map { $0.integer("runs") } == [0, 0], "\(compared)")
    #expect(rows?.map { $0.integer("runs_left_out") } == [1, 1], "\(compared)")
    #expect(compared.code == 4, "\(compared)")
  }

  /// The virtual clock measures nothing, and a cancellation by the script happens in every run.
  @Test func `on the virtual clock a cancelled run is an ordinary run`() async throws {
    let home = try PlaygroundHome()
    let made = try await home.eval(
      "job = never; job &; cancel 1; wait", "--clock", "virtual", "--save", "a.runs")
    #expect(made.code == 0, "\(made)")
    let compared = try await home.run(["compare", "a.runs", "a.runs"])
    #expect(compared.code == 0 && compared.output.contains("same"), "\(compared)")
  }

  @Test func `a sample without successes does not equal one with them`() async throws {
    let home = try PlaygroundHome()
    for (file, command) in [("a.runs", "true"), ("b.runs", "false")] {
      _ = try await home.eval("job = sh \"\(command)\"; job", "--save", file)
    }
    #expect(try await home.run(["compare", "a.runs", "b.runs"]).code == 3)
    #expect(try await home.run(["compare", "b.runs", "a.runs"]).code == 3)
    #expect(try await home.run(["compare", "b.runs", "b.runs"]).code == 0)
  }

  @Test func `concurrent runs are saved in one file`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.eval(
      "load SerialQueue; serial { a: sleep 150ms }; serial { b: sleep 1ms } &; value 3; wait",
      "--clock", "live", "--save", "ended.runs")
    #expect(outcome.code == 0 && outcome.output.contains("saved 3 runs"), "\(outcome)")
    let text = try String(
      contentsOfFile: home.workingFolder + "/ended.runs", encoding: .utf8)
    #expect(text.ranges(of: "\"e\":\"run-started\"").count == 3)
    #expect(text.ranges(of: "\"e\":\"run-ended\"").count == 3)
    let shown = try await home.run(["--json", "trace", "show", "ended.runs"]).records("run")
    #expect(shown.map { $0.string("outcome") } == ["success", "success", "success"])
  }
}
