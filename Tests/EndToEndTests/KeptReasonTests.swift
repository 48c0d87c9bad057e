import Foundation
import Testing

/// The reason why a run could not finish is kept in its file, for every reader of the file.
@Suite struct KeptReasonTests {
  @Test func `a deadlock is reported wherever the run is kept`() async throws {
    let home = try PlaygroundHome()
    let made = try await home.eval(
      "load SerialQueue OperationGraph; group { 6 * serial.semaphore { fetch: sleep 20ms; parse: work 5ms } }",
      "--clock", "virtual", "--save", "a.runs")
    #expect(made.code == 4, "\(made)")
    for said in ["Deadlock: ", "All 4 workers"] {
      #expect(made.output.ranges(of: said).count == 1, "\(made)")
      let shown = try await home.run(["trace", "show", "a.runs"])
      #expect(shown.output.ranges(of: said).count == 1, "\(shown)")
      for file in ["a.svg", "a.html"] {
        #expect(try await home.run(["trace", "export", "a.runs", file]).code == 0)
        let text = try String(contentsOfFile: home.workingFolder + "/" + file, encoding: .utf8)
        #expect(text.contains(said), "\(file)")
      }
    }
    let record = try #require(
      try await home.run(["trace", "show", "a.runs", "--json"]).records("run").first)
    #expect(record.string("error")?.hasPrefix("Deadlock: ") == true)
    #expect(record.strings("stall")?.first?.contains("All 4 workers") == true)
  }

  @Test func `a time limit is reported wherever the run is kept`() async throws {
    let home = try PlaygroundHome()
    let made = try await home.eval("never", "--time-limit", "200ms", "--save", "a.runs")
    #expect(made.code == 4 && made.output.ranges(of: "the time limit").count == 1, "\(made)")
    let shown = try await home.run(["trace", "show", "a.runs"])
    #expect(shown.output.contains("error: It was stopped at the time limit, 200ms"), "\(shown)")
  }
}
