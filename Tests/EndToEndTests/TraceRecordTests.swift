import Foundation
import Testing

/// The edges and findings in records, and where records may be written.
@Suite struct TraceRecordTests {
  /// The record includes the edges to the run's own step.
  @Test func `every edge is in the record`() async throws {
    let outcome = try await PlaygroundHome().records(
      "load SerialQueue; serial.semaphore { a: sleep 1ms; b: sleep 2ms }")
    let edges = try #require(try outcome.records("run").first).objects("edges")
    #expect(
      edges.map { [$0.string("from"), $0.string("to"), $0.string("kind")] } == [
        ["a", "serial.semaphore", "woke"], ["b", "serial.semaphore", "woke"],
      ])
  }

  @Test func `two destinations are refused`() async throws {
    let home = try PlaygroundHome()
    _ = try await home.eval("value 1", "--save", "a.runs")
    for (words, wrong) in [
      (
        ["export", "a.runs", "x.svg", "-o", "y.png"],
        "writes one file, but two are given: “x.svg” and “y.png”"
      ),
      (["why", "a.runs", "value", "-o", "y.png"], "-o"),
      (["show", "a.runs", "x.svg"], "x.svg"),
    ] {
      let outcome = try await home.run(["trace"] + words)
      #expect(outcome.code == 2 && outcome.errors.contains(wrong), "\(outcome)")
      let files = try FileManager.default.contentsOfDirectory(atPath: home.workingFolder)
      #expect(!files.contains { $0.hasPrefix("x.") || $0.hasPrefix("y.") }, "\(files)")
    }
  }

  @Test func `a thousand findings of a family are one`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.records(
      """
      load OperationGraph
      group { page: 1000 * block 1ms }
      expect lints == 2
      expect lints == starvation
      """, "--save", "a.runs")
    #expect(outcome.code == 0, "\(outcome)")
    let lints = try #require(try outcome.records("run").first).objects("lints")
    #expect(lints.map { $0.integer("count") }.reduce(0) { $0 + ($1 ?? 0) } == 1996)
    #expect(
      lints.contains { $0.string("rule") == "blocked-thread" && $0.strings("steps")?.count == 1000 }
    )
    let told = try await home.run(["trace", "lint", "a.runs"])
    #expect(told.code == 1 && told.output.contains("2 findings in 1 run"), "\(told)")
    #expect(
      told.output.contains("blocked-thread, page-1, page-2, page-3 and 997 more: “page-1” blocked"))
  }
}
