import Foundation
import Testing

/// `--check-determinism`: everything runs twice, and each difference or departure from the runtime is reported.
@Suite struct DeterminismTests {
  /// Runs a script that can use the patterns of `PluginSources.wild`.
  private static func check(
    _ script: String, _ options: String...
  ) async throws -> PlaygroundProcess.Outcome {
    let home = try PlaygroundHome()
    try home.write(PluginSources.wild, to: "Wild.swift")
    return try await home.run(
      ["--json", "--check-determinism"] + options
        + ["eval", "load ./Wild.swift SerialQueue; " + script])
  }

  /// A pattern whose order depends on the number of earlier runs, with ten steps of different lengths.
  private static let shuffled =
    "shuffled { \((1...10).map { "s\($0): sleep \($0)ms" }.joined(separator: "; ")) }"

  @Test func `the first difference is named and ends the script`() async throws {
    let outcome = try await Self.check("\(Self.shuffled); value 3")
    #expect(outcome.code == 1, "\(outcome)")
    let runs = try outcome.records("run")
    #expect(runs.map { $0.string("pattern") } == ["shuffled"])
    let message = try #require(try outcome.records("error").first?.string("message"))
    // “… differ at 0ns, “s4” on pool-1: “s4” started at 0ns in the first run, at 12ms in the second”. A step that had
    // not started by then was on no lane.
    let place = try #require(
      message.firstMatch(of: /differ at (\d+ns|\d+ms), “(s\d+)”(?: on pool-1)?: (.*)$/),
      "\(message)")
    #expect(place.3.contains("“\(place.2)”") && place.3.contains("in the second"))
    let step = runs[0].objects("steps").first { $0.string("label") == String(place.2) }
    #expect(step?.string("lane") == "pool-1")
  }

  @Test func `scripts after a difference do not run`() async throws {
    let home = try PlaygroundHome()
    try home.write(PluginSources.wild, to: "Wild.swift")
    try home.write("load ./Wild.swift; \(Self.shuffled)", to: "a.play")
    try home.write("value 3", to: "b.play")
    let outcome = try await home.run(["--check-determinism", "run", "a.play", "b.play"])
    #expect(outcome.code == 1, "\(outcome)")
    #expect(!outcome.output.contains("value 3"))
  }

  /// Leaving the runtime is a finding about the step that did it, wherever the step is nested.
  @Test(arguments: [
    ("hopping", "hopping"), ("threaded", "threaded"),
    ("serial { a: value 1; b: hopping; c: sleep 20ms }", "b"),
    ("serial { a: elsewhere { x: sleep 20ms } }", "a"),
  ])
  func `a step that leaves the runtime is named`(_ script: String, _ step: String) async throws {
    let outcome = try await Self.check(script)
    #expect(outcome.code == 0, "\(outcome)")
    let run = try #require(try outcome.records("run").first)
    #expect(run.string("clock") == "virtual")
    #expect(run.string("outcome") == "success")
    let escapes = run.objects("lints").filter { $0.string("rule") == "clock-escape" }
    #expect(escapes.map { $0.string("step") } == [step])
    // Steps that leave the runtime take no virtual time; the other steps keep their own.
    #expect(run.integer("makespan_ns") == (script.contains("20ms") ? 20_000_000 : 0))
  }

  /// Swift's own sleep takes virtual time, and causes no finding.
  @Test func `Swift's own sleep takes virtual time`() async throws {
    let outcome = try await Self.check(
      "serial { a: value 1; b: serial { x: sleeping 1h } }")
    #expect(outcome.code == 0, "\(outcome)")
    let run = try #require(try outcome.records("run").first)
    #expect(run.objects("lints").allSatisfy { $0.string("rule") != "clock-escape" })
    #expect(run.string("outcome") == "success")
    #expect(run.integer("makespan_ns") == 3_600_000_000_000)
  }

  @Test func `a step that stays in the runtime has no finding`() async throws {
    let outcome = try await Self.check("serial { a: sleep 1ms; b: work 1ms }; never")
    #expect(outcome.code == 4, "\(outcome)")
    let lints = try outcome.records("run").flatMap { $0.objects("lints") }
    #expect(lints.map { $0.string("rule") } == ["never-completed"])
    #expect(outcome.errors.ranges(of: "deterministic").count == 2)
  }

  @Test func `comparisons are checked too`() async throws {
    let list = "[ \((1...10).map { "s\($0): sleep \($0)ms" }.joined(separator: "; ")) ]"
    let outcome = try await Self.check("compare \(list) under serial, shuffled; value 3")
    #expect(outcome.code == 1, "\(outcome)")
    #expect(try outcome.records("error").count == 1)
    #expect(try outcome.records("compare").isEmpty)
  }

  @Test func `runs on the live clock are not checked`() async throws {
    let outcome = try await Self.check("sleep 1ms", "--clock", "live")
    #expect(outcome.code == 0)
    #expect(try outcome.records("run").first?.string("clock") == "live")
    #expect(outcome.errors.contains("on the live clock no two runs are alike"))
  }
}
