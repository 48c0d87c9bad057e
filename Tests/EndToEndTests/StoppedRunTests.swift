import Foundation
import Testing

/// The messages about a run that was stopped, and its effect on the next run.
@Suite struct StoppedRunTests {
  @Test func `an unfinished step lasts until the run is stopped`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "never; block 1min", "--time-limit", "500ms", "--json")
    let runs = try outcome.records("run")
    // On a busy machine, a run may start late. If an unfinished step did not last until the run was stopped, the run
    // would take only microseconds.
    #expect(runs.count == 2)
    for run in runs { #expect(try #require(run.integer("makespan_ns")) >= 100_000_000) }
    #expect(try #require(runs.last?.integer("blocked_ns")) >= 100_000_000)
  }

  @Test func `a deadlock leaves the next run its workers`() async throws {
    let outcome = try await PlaygroundHome().eval(
      """
      load SerialQueue
      serial.semaphore { inner: serial.semaphore { leaf: sleep 1ms } }
      serial { a: value 1 }
      """, "--workers", "1", "--time-limit", "100ms", "--json")
    let runs = try outcome.records("run").map { $0.string("outcome") }
    #expect(runs == ["unfinished", "success"])
    #expect(outcome.errors.contains("It was waiting for a worker to start inner/leaf."))
  }

  /// The pattern waits for its own timer, and a worker is free.
  @Test func `a run that is stopped between two steps does not blame the workers`() async throws {
    let outcome = try await PlaygroundHome().eval(
      """
      load SerialQueue; load Promises
      serial { r: retry(2, delay: 1min) { fail "no" }; page: 2007 * value 1 }
      """, "--time-limit", "100ms", "--json")
    #expect(
      outcome.errors.contains(
        "No step was in progress; page-1, page-2, page-3, page-4, page-5 and 2 002 more had not started."
      ))
  }

  @Test func `a deadlock report names each waiting step and its cause`() async throws {
    let outcome = try await PlaygroundHome().records(
      """
      load SerialQueue
      job = [ outer: serial.semaphore { inner: sleep 1ms with on: pool } ]
      serial job
      serial { a: value 1; b: never }
      """, "--workers", "1")
    #expect(outcome.code == 4)
    let runs = try outcome.records("run")
    #expect(runs.map { $0.string("outcome") } == ["unfinished", "unfinished"])
    #expect(runs.map { $0.integer("makespan_ns") } == [0, 0])
    #expect(
      runs.map { $0.strings("stall") } == [
        [
          "The only worker is held by “job/outer” (serial.semaphore), which has waited for semaphore 1 "
            + "since 0ns; “job/outer/inner” needs a worker, so semaphore 1 is never signalled: "
            + "“job/outer” waits for “job/outer/inner”, which waits for “job/outer”."
        ], ["“b” was started at 0ns and holds its completion."],
      ])
    let lints = runs.map { run in run.objects("lints").map { $0.string("rule") } }
    #expect(lints == [["blocked-thread", "never-completed"], ["never-completed"]])
  }

  @Test func `a simulation that is stopped early does not blame its steps`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.records(
      "load SerialQueue; serial { a: 30000 * sleep 1ms }", "--time-limit", "100ms", "--save",
      "a.runs")
    let run = try #require(outcome.records("run").first)
    #expect(run.string("outcome") == "unfinished")
    #expect(run.objects("lints").isEmpty, "\(outcome)")
    let read = try await home.run(["trace", "lint", "a.runs"])
    #expect(read.code == 0, "\(read)")
  }

  @Test func `a lost wake-up is a finding`() async throws {
    let home = try PlaygroundHome()
    try home.write(PluginSources.lossy, to: "Lossy.swift")
    let outcome = try await home.records("load Lossy.swift; lossy { a: value 1 }")
    #expect(outcome.code == 4, "\(outcome)")
    let run = try #require(outcome.records("run").first)
    #expect(
      run.strings("stall") == [
        "“lossy” has waited for semaphore 1 since 0ns, and nothing is left to signal it."
      ])
    #expect(run.objects("lints").map { $0.string("rule") }.contains("lost-wakeup"))
    #expect(run.integer("threads") == 1)
  }
}
