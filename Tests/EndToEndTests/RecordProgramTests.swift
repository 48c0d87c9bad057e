import Testing

/// `playground record -- ./program`: a program as it is, and what its tasks did.
@Suite struct RecordProgramTests {
  private func record(
    _ word: String, in home: PlaygroundHome
  ) async throws -> PlaygroundProcess.Outcome {
    try await home.run(
      ["record", "--save", "run.jsonl", "--", try await ExploredProgram.path, word])
  }

  @Test func `the program's output and exit code are its own, and its tasks have names`()
    async throws
  {
    let home = try PlaygroundHome()
    let outcome = try await record("work", in: home)
    #expect(outcome.output.hasPrefix("worked\n"), "\(outcome)")
    #expect(outcome.code == 5)
    let shown = try await home.run(["trace", "show", "run.jsonl"])
    for name in ["explored · success", "main ", "worker", "Gate", "main actor"] {
      #expect(shown.output.contains(name), "\(shown)")
    }
    let why = try await home.run(["trace", "why", "run.jsonl", "worker"])
    #expect(why.output.contains("its sleep"), "\(why)")
    let main = try await home.run(["trace", "why", "run.jsonl", "main"])
    #expect(main.output.contains("worker"), "\(main)")
  }

  @Test func `a crash leaves what was recorded until then`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await record("trap", in: home)
    #expect(outcome.errors.contains("trapped"), "\(outcome)")
    #expect(outcome.code > 128)
    let shown = try await home.run(["trace", "show", "run.jsonl"])
    #expect(shown.output.contains("explored · unfinished"), "\(shown)")
    #expect(shown.output.contains("worker"))
  }

  @Test func `a recording needs a file`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.run(["record", "--", try await ExploredProgram.path, "work"])
    #expect(outcome.errors.contains("“record” needs a file to save to"), "\(outcome)")
    #expect(outcome.code == 2)
  }
}
