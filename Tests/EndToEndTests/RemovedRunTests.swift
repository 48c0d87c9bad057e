import Testing

/// A session keeps its last 2 000 runs, so that its memory is bounded.
@Suite struct RemovedRunTests {
  @Test func `the oldest runs are removed, and the list says so`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "value 1; runs; show 2; show 1", "--runs", "2001", "--clock", "virtual")
    #expect(outcome.code == 2, "\(outcome.errors)")
    #expect(outcome.output.contains("\n2001  success"), "\(outcome.errors)")
    #expect(!outcome.output.contains("\n1     success"))
    #expect(
      outcome.output.contains("Run 1 is no longer kept: a session keeps at most its last 2000"))
    #expect(outcome.errors.contains("there is no run 1"), "\(outcome.errors)")
    #expect(outcome.errors.contains("“runs” lists them: 2 to 2001"), "\(outcome.errors)")
  }

  @Test func `a session that saves its runs keeps all`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.eval(
      "value 1; runs", "--runs", "2001", "--clock", "virtual", "--save", "all.runs")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("saved 2001 runs to all.runs"), "\(outcome.errors)")
    #expect(!outcome.output.contains("no longer kept"))
  }

  /// A session keeps its comparisons for a page. A session that runs for days makes many of them.
  @Test(arguments: [([], 200), (["--report", "all.html"], 201)] as [([String], Int)])
  func `a session keeps its last 200 comparisons, and one that reports keeps all`(
    options: [String], count: Int
  ) async throws {
    let home = try PlaygroundHome()
    try home.write(
      "load SerialQueue\n"
        + String(repeating: "compare [ value 1 ] under serial, serial.chain runs 1\n", count: 201)
        + "trace export page.html\n", to: "many.play")
    let outcome = try await home.run(options + ["--clock", "virtual", "run", "many.play"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("and \(count) comparisons to page.html"), "\(outcome.errors)")
  }
}
