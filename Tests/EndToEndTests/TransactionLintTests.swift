import Testing

/// The findings about commits at the end of a turn, as text for a user who does not know such commits.
@Suite struct TransactionLintTests {
  /// The messages of the findings of a run, by rule and step.
  private static func lints(_ script: String) async throws -> [String: String] {
    let outcome = try await PlaygroundHome().run([
      "--json", "--clock", "virtual", "eval", "load RunLoopTransaction; \(script)",
    ])
    let run = try #require(try outcome.records("run").last, "\(outcome)")
    return run.objects("lints").reduce(into: [:]) { lints, lint in
      lints["\(lint.string("rule") ?? "") \(lint.string("step") ?? "")"] = lint.string("message")
    }
  }

  @Test func `a commit that wakes nothing is reported`() async throws {
    let lints = try await Self.lints("transaction.yy { a: value 1 }")
    #expect(lints.keys.sorted() == ["lost-wakeup a"])
    #expect(lints["lost-wakeup a"]?.contains("nothing woke the run loop for it") == true)
  }

  @Test func `a commit that waits for something else is reported`() async throws {
    let lints = try await Self.lints("transaction.yy(tick: 300ms) { a: value 1 }")
    #expect(lints.keys.sorted() == ["lost-wakeup a"])
    #expect(lints["lost-wakeup a"]?.contains("waited 300ms") == true)
  }

  @Test func `a commit that waited until it was cancelled is reported`() async throws {
    let lints = try await Self.lints(
      "load Promises; timeout(5ms) { t: transaction.yy { a: value 1 } }")
    #expect(lints.keys.sorted() == ["lost-wakeup t/a"])
    #expect(lints["lost-wakeup t/a"]?.contains("cancelled after 5ms, before the loop") == true)
  }

  /// The run loop takes a turn only if something causes one, and here nothing does.
  @Test func `a commit that waits at the time limit is reported`() async throws {
    let outcome = try await PlaygroundHome().run([
      "--json", "--time-limit", "2s", "eval",
      "load RunLoopTransaction SerialQueue; "
        + "serial { quiet: sleep 200ms; late: transaction.yy { a: value 1; b: work 1ms } }",
    ])
    #expect(outcome.code == 4, "\(outcome)")
    let run = try #require(try outcome.records("run").first, "\(outcome)")
    #expect(run.string("outcome") == "unfinished")
    let told = run.objects("lints").map { "\($0.string("rule") ?? "") \($0.string("step") ?? "")" }
    #expect(told == ["lost-wakeup late/a", "lost-wakeup late/b"], "\(outcome)")
  }

  @Test func `a lost commit is reported`() async throws {
    // The second lane reads the set before the first lane has written to it.
    let pattern = "transaction.yy(from: pool, tick: 1ms) { a: value 1; b: value 2 }"
    let explored = try await PlaygroundHome().run([
      "--json", "--clock", "virtual", "eval", "load RunLoopTransaction; explore \(pattern)",
    ])
    #expect(explored.code == 1)
    let replay = try #require(try explored.records("explore").first?.string("replay"))
    let lints = try await Self.lints("replay \"\(replay)\"")
    let lost = lints.filter { $0.key.hasPrefix("lost-commit") }
    #expect(lost.count == 1, "\(lints)")
    #expect(lost.first?.value.contains("guard it with a lock") == true)
  }

  @Test func `a cycle is reported by name`() async throws {
    let lints = try await Self.lints(
      "transaction(cycle-limit: 5) { layout: value 1 with again: true }")
    let message = try #require(lints["commit-cycle transaction"])
    #expect(message.contains("step “layout” commits itself again whenever it is performed"))
    #expect(!message.contains("CommittedStep") && !message.contains("step:"), "\(message)")
  }

  @Test func `a cycle that is refused is a failure`() async throws {
    let outcome = try await PlaygroundHome().records(
      "load RunLoopTransaction; transaction(cycle-limit: 5) { layout: value 1 with again: true }")
    #expect(outcome.code == 3, "\(outcome)")
    let run = try #require(try outcome.records("run").last)
    #expect(run.string("outcome") == "failure")
    #expect(run.string("error")?.contains("“layout” has committed itself again") == true, "\(run)")
    #expect(run.objects("lints").map { $0.string("rule") } == ["commit-cycle"])
  }

  /// The number of patterns does not matter, since none of them commits the next one.
  @Test(arguments: ["serial", "promise", "bounded(1)"])
  func `patterns one after another are not a cycle`(composition: String) async throws {
    let outcome = try await PlaygroundHome().records(
      "load SerialQueue Promises OperationGraph RunLoopTransaction; "
        + "\(composition) { t: 2000 * transaction { a: value 1 } }")
    #expect(outcome.code == 0, "\(outcome)")
    let run = try #require(try outcome.records("run").last)
    #expect(run.string("outcome") == "success")
    #expect(run.objects("lints").isEmpty)
  }

  @Test(arguments: [
    "transaction { a: value 1; b: work 2ms }", "transaction(from: pool) { a: value 1; b: value 2 }",
    "transaction(budget: 1ms) { row: 5 * work 2ms }", "transaction.yy(from: main) { a: value 1 }",
  ])
  func `correct code is not reported`(script: String) async throws {
    #expect(try await Self.lints(script) == [:])
  }
}
