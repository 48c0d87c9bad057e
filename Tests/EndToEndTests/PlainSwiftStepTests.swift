import Testing

/// Plain Swift functions that are marked as steps.
@Suite struct PlainSwiftStepTests {
  /// The file that the README shows.
  private static let cache = BugTests.folder + "/Cache.swift"

  @Test func `a race in a file that imports nothing is found, and replayed`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.run(["eval", "load \"\(Self.cache)\"; explore cacheFetchesOnce"])
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.output.contains("“succeeds” does not hold: FetchedTwice()"), "\(outcome)")
    #expect(outcome.output.contains("continues on Cache"), "\(outcome)")
    #expect(outcome.output.contains("second            continues, waits for its sleep"))
    let line = try #require(
      outcome.output.split(separator: "\n").first { $0.hasPrefix("replay ") })
    let again = try await home.run(["eval", "load \"\(Self.cache)\"; \(line)"])
    #expect(again.output.contains("FetchedTwice()"), "\(again)")
  }

  @Test func `a step can be used beside the patterns of the file's plugin`() async throws {
    let home = try PlaygroundHome()
    try home.write(
      """
      import AsyncPatterns
      // step
      func seven() async throws -> Int { 7 }
      enum Mine: Plugin {
        static let name = "Mine"
        static let summary = "A plugin."
        static let patterns: [any AsyncPattern.Type] = [Nothing.self]
      }
      struct Nothing: AsyncPattern {
        static let manual = Manual(name: "nothing", summary: "Completes.", steps: .none)
        init(_ arguments: Arguments) {}
        func start(
          _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
        ) { completion(.success(.none)) }
      }
      """, to: "Mine.swift")
    let outcome = try await home.run(["--json", "eval", "load ./Mine.swift; seven; nothing"])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try outcome.records("run").first?.integer("value") == 7)
  }

  @Test func `a step with parameters is refused`() async throws {
    let home = try PlaygroundHome()
    try home.write("// step\nfunc add(_ a: Int) async throws {}", to: "Add.swift")
    let outcome = try await home.run(["eval", "load ./Add.swift"])
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains("add in") && outcome.errors.contains("has parameters"))
  }
}
