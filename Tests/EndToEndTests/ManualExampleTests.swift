import Testing

/// The examples in the manuals of all modules that come with the program.
@Suite struct ManualExampleTests {
  /// `help` shows the manual, and every example in it runs unchanged. Only examples that demonstrate a fault have
  /// findings.
  @Test func `every example in a manual runs`() async throws {
    let home = try PlaygroundHome()
    let texts = try await PatternHelp.texts()
    for name in [
      "serial", "serial.semaphore", "serial.chain", "promise", "graph", "group", "bounded", "sleep",
      "sh", "never",
    ] {
      #expect(texts[name] != nil)
    }
    for (name, help) in texts.sorted(by: { $0.key < $1.key }) {
      let examples = Self.examples(in: help)
      #expect(!examples.isEmpty, "“help \(name)” shows an example")
      let isLiveOnly = help.contains("It runs on the live clock only.")
      // An example that demonstrates a fault is expected to have findings.
      let isTrap =
        ["block", "never", "twice"].contains(name)
        || ["It blocks a thread", "It breaks these laws on purpose", ".yy"].contains(
          where: help.contains)
      for example in examples {
        let outcome = try await home.run(
          ["--json", "--clock", isLiveOnly ? "live" : "virtual", "run", "-"],
          input: "load\n" + example)
        #expect(outcome.code == 0, "\(name): \(example)\n\(outcome)")
        // A “print” alone draws no timeline.
        #expect(name == "print" || outcome.errors.contains("makespan"), "\(name): \(example)")
        guard !isTrap, !example.contains("lints") else { continue }
        for run in try outcome.records("run") {
          #expect(run.objects("lints").isEmpty, "\(name): \(example)\n\(run)")
        }
      }
    }
  }

  /// The indented examples under “Examples:”, separated by blank lines.
  static func examples(in help: String) -> [String] {
    guard let start = help.firstRange(of: "\nExamples:\n") else { return [] }
    return help[start.upperBound...].split(separator: "\n\n").map { example in
      example.split(separator: "\n").map { String($0.dropFirst(2)) }.joined(separator: "\n")
    }
  }
}
