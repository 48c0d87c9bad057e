import Testing

/// The findings about groups, as text for a user who does not know groups. The fixed versions have no findings.
@Suite struct GroupTrapLintTests {
  private static func run(_ script: String, clock: String) async throws -> JSONRecord {
    let outcome = try await PlaygroundHome().run([
      "--json", "--clock", clock, "--time-limit", "10s", "eval",
      "load OperationGraph SerialQueue Promises; \(script)",
    ])
    return try #require(try outcome.records("run").first, "\(outcome)")
  }

  private static func lints(of run: JSONRecord) -> [String: String] {
    run.objects("lints").reduce(into: [:]) { lints, lint in
      lints[lint.string("rule") ?? ""] = lint.string("message")
    }
  }

  @Test(arguments: ["live", "virtual"])
  func `the naive group reports which steps still ran`(_ clock: String) async throws {
    let run = try await Self.run("group.naive { a: sleep 200ms; b: sleep 300ms }", clock: clock)
    let lints = Self.lints(of: run)
    #expect(lints.keys.sorted() == ["early-notification"])
    #expect(
      lints["early-notification"]?.hasPrefix("“group.naive” completed while “a” and “b” had not")
        == true)
    #expect(lints["early-notification"]?.contains("as group does") == true)
    #expect(run.string("outcome") == "success")
  }

  @Test(arguments: ["live", "virtual"])
  func `the semaphore reports that it blocks its caller`(_ clock: String) async throws {
    let run = try await Self.run("bounded.semaphore(2) { 4 * sleep 50ms }", clock: clock)
    #expect(Self.lints(of: run).keys.sorted() == ["blocked-thread"])
    #expect(run.integer("blocked_ns") ?? 0 > 0)
    #expect(run.integer("max_concurrency") == 2)
  }

  /// All groups except those that demonstrate a trap, including those that leave steps running on purpose.
  @Test(arguments: [
    "group { a: sleep 5ms; b: sleep 10ms }", "bounded(2) { 4 * sleep 5ms }",
    "graph { a: sleep 5ms; b: sleep 5ms after a }",
    "operations(2) { a: sleep 5ms; b: sleep 5ms after a; c: sleep 20ms }",
    "barrier { a: sleep 5ms; b: sleep 5ms with barrier: true; c: sleep 5ms }",
    "serial { a: sleep 5ms; b: sleep 5ms }", "race { a: sleep 5ms; b: sleep 50ms }",
    "any { a: sleep 5ms; b: sleep 50ms }", "settled { a: sleep 5ms; b: fail \"no\" }",
    "all { a: sleep 5ms; b: sleep 10ms }", "timeout(5ms) { sleep 50ms }",
    "group.naive { a: value 1; b: value 2 }",
  ])
  func `a group that waits for its steps, or says that it does not, is clean`(
    _ script: String
  ) async throws {
    for clock in ["virtual", "live"] {
      let run = try await Self.run(script, clock: clock)
      #expect(Self.lints(of: run)["early-notification"] == nil, "\(run)")
      #expect(Self.lints(of: run)["blocked-thread"] == nil, "\(run)")
    }
  }
}
