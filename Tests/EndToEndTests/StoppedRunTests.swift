import Foundation
import Testing

/// What is told of a run that was stopped, and what it leaves to the next one.
@Suite struct StoppedRunTests {
  @Test func whatDidNotFinishLastsUntilItWasStopped() async throws {
    let outcome = try await PlaygroundHome().eval(
      "never; block 1min", "--time-limit", "60ms", "--json")
    let runs = try outcome.records("run")
    #expect(runs.count == 2)
    for run in runs { #expect(try #require(run.integer("makespan_ns")) >= 60_000_000) }
    #expect(try #require(runs.last?.integer("blocked_ns")) >= 40_000_000)
  }

  @Test func aDeadlockDoesNotKeepTheNextRunFromItsWorkers() async throws {
    let outcome = try await PlaygroundHome().eval(
      """
      load SerialQueue
      serial.semaphore { inner: serial.semaphore { leaf: sleep 1ms } }
      serial { a: value 1 }
      """, "--workers", "1", "--time-limit", "100ms", "--json")
    let runs = try outcome.records("run").map { $0.string("outcome") }
    #expect(runs == ["unfinished", "success"])
    #expect(outcome.errors.contains("It was waiting for a worker to begin inner/leaf."))
  }
}
