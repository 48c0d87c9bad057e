import TerminalTesting
import Testing

/// A recorded program that uses libraries of this package. Their steps are in the same trace as its tasks.
@Suite struct RecordLibrariesTests {
  private let home: PlaygroundHome

  init() async throws {
    home = try PlaygroundHome()
    let outcome = try await home.run(
      ["record", "--save", "run.jsonl", "--", builtProgram("LibraryProgram")])
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `steps are below the tasks that made them`() async throws {
    let shown = try await home.run(["trace", "show", "run.jsonl"])
    let labels = shown.output.split(separator: "\n").filter { $0.contains("│") }
      .compactMap { $0.split(separator: "│").first }
    func depth(of label: String) -> Int? {
      labels.first { $0.trimmingPrefix { " *".contains($0) }.hasPrefix(label) }?
        .prefix { " *".contains($0) }.count
    }
    for (task, step) in [
      ("uploads", "second"), ("page", "length"), ("build", "link"), ("meal", "cooking"),
      ("cooking", "frying"), ("serving", "plating"),
    ] {
      let (outer, inner) = (try #require(depth(of: task)), try #require(depth(of: step)))
      #expect(outer < inner, "\(shown)")
    }
  }

  @Test func `a task waits for steps, and steps wait for tasks`() async throws {
    let item = try await home.run(["trace", "why", "run.jsonl", "second"])
    #expect(item.output.contains(" by uploads\n"), "\(item)")
    // Under load, an item may have completed before the task waits for it.
    let why = try await home.run(["trace", "why", "run.jsonl", "uploads"])
    for line in why.output.split(separator: "\n") where line.contains("for a continuation") {
      #expect(line.contains("resumed by uploads/network/"), "\(why)")
    }
    let frying = try await home.run(["trace", "why", "run.jsonl", "frying"])
    #expect(frying.output.contains("chopping"), "\(frying)")
    let link = try await home.run(["trace", "why", "run.jsonl", "link"])
    #expect(link.output.contains("compile"), "\(link)")
  }
}
