import TerminalTesting
import Testing

/// A recorded program that uses libraries of this package: their steps lie in the same trace as its tasks.
@Suite struct RecordLibrariesTests {
  private let home: PlaygroundHome

  init() async throws {
    home = try PlaygroundHome()
    let outcome = try await home.run(
      ["record", "--save", "run.jsonl", "--", builtProgram("LibraryProgram")])
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `steps stand below the tasks that made them`() async throws {
    let shown = try await home.run(["trace", "show", "run.jsonl"])
    let rows = shown.output.split(separator: "\n")
    func depth(of label: String) -> Int? {
      rows.first { $0.contains("\(label)│") || $0.contains("\(label) ") }?
        .prefix { $0 == " " || $0 == "*" }.count
    }
    for (task, step) in [("uploads", "second"), ("page", "length"), ("build", "link")] {
      let (outer, inner) = (try #require(depth(of: task)), try #require(depth(of: step)))
      #expect(outer < inner, "\(shown)")
    }
  }

  @Test func `a task waits for steps, and they for tasks`() async throws {
    let why = try await home.run(["trace", "why", "run.jsonl", "uploads"])
    #expect(why.output.contains("second"), "\(why)")
    let link = try await home.run(["trace", "why", "run.jsonl", "link"])
    #expect(link.output.contains("compile"), "\(link)")
  }
}
