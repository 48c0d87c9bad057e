import Testing

/// A condition that no run could satisfy is a mistake in the script, reported before anything runs.
@Suite struct ExpectationMistakeTests {
  static let mistakes: [(condition: String, message: String)] = [
    ("makespan < 50%", "“makespan” is a duration"),
    ("work == 3", "“work” is a duration"),
    ("started print > 3", "“started” is a duration"),
    ("concurrency == 3ms", "“concurrency” is a whole number"),
    ("count print == 1s", "“count” is a whole number"),
    ("outcome == banana", "“outcome” is one of: success, failure, cancelled, unfinished"),
    ("outcome < success", "“outcome” has no order"),
    ("lints > blocked-thread", "“lints” has no order"),
    ("lints != blockd-thread", "there is no lint rule “blockd-thread”"),
    ("lints == \"blocked-thread\"", "none or the name of a rule, without quotation marks"),
    ("order print, print", "“print” is named twice"),
    ("ratio serial < fast", "“ratio” is a number"),
    ("verdict serial == better", "“verdict” is one of: baseline, faster, slower"),
  ]

  @Test(arguments: mistakes)
  func `a condition that can never hold is a mistake`(
    condition: String, message: String
  ) async throws {
    let outcome = try await PlaygroundHome().eval("print \"ran\"; expect \(condition)")
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.errors.contains(message), "\(outcome)")
  }

  @Test(arguments: [
    "makespan >= 0", "outcome == \"success\"", "outcome != failure", "lints == 0", "lints == none",
    "value == none", "count print == 1", "threads >= 1",
  ])
  func `a condition that can hold is not a mistake`(condition: String) async throws {
    let outcome = try await PlaygroundHome().eval("print \"ran\"; expect \(condition)")
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `the first mistake comes with a fix`() async throws {
    let known = try await PlaygroundHome().eval("serial { sleep 1ms }")
    #expect(known.errors.contains("“load SerialQueue” loads it"), "\(known)")
    let unknown = try await PlaygroundHome().eval("conjure { sleep 1ms }")
    #expect(unknown.errors.contains("no pattern is loaded; “load” loads all plugins"))
  }
}
