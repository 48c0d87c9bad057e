import Foundation
import TerminalTesting
import Testing

/// The article “Which one do I want?”: its scripts, and the facts in its tables.
@Suite struct WhichOneTests {
  private static let inParallel = ["group", "bounded(2)", "graph", "operations", "swift.taskgroup"]
  private let article: Article

  init() throws {
    article = try Article("Modules/Patterns/AsyncPatterns/AsyncPatterns.docc/WhichOne.md")
  }

  @Test func `each script does what it expects`() async throws {
    let scripts = article.blocks(in: "text")
    #expect(scripts.count == 10)
    for script in scripts {
      let outcome = try await PlaygroundHome().run(
        ["--json", "--clock", "virtual", "run", "-"], input: script)
      #expect(outcome.code == 0, "\(outcome)")
      let expectations = try outcome.records("expect")
      let lines = script.split(separator: "\n")
      #expect(expectations.count == lines.count { $0.hasPrefix("expect ") }, "\(outcome)")
      #expect(!expectations.isEmpty, "\(script)")
      for expectation in expectations { #expect(expectation.bool("passed") == true, "\(outcome)") }
      // A pattern of this page blocks no thread, unless a step does.
      for run in try outcome.records("run") { #expect(run.integer("blocked_ns") == 0, "\(run)") }
    }
  }

  @Test func `the command prints what the article shows`() async throws {
    let home = try PlaygroundHome()
    let script = try #require(article.blocks(in: "text").first { $0.contains("swift.taskgroup {") })
    try home.write(script, to: "half.play")
    let commands = article.commands
    try #require(commands.count == 1)
    let outcome = try await home.run(Array(commands[0].words.dropFirst()))
    #expect(outcome.output == commands[0].shown, "\(outcome)")
  }

  @Test(arguments: inParallel)
  func `the result is the list of values in the order written`(pattern: String) async throws {
    let outcome = try await run(
      "\(pattern) { a: serial { sleep 2ms; value \"x\" }; b: value \"y\" }")
    #expect(try outcome.records("run").first?.strings("value") == ["x", "y"], "\(outcome)")
  }

  @Test(arguments: inParallel)
  func `the first failure in time is the result`(pattern: String) async throws {
    let steps = "a: serial { sleep 5ms; fail \"late\" }; b: serial { sleep 2ms; fail \"early\" }"
    let outcome = try await run("\(pattern) { \(steps) }")
    #expect(try outcome.records("run").first?.string("error") == "early", "\(outcome)")
  }

  @Test(arguments: ["group", "bounded(2)", "swift.taskgroup", "race", "any"])
  func `these patterns reject “after”`(pattern: String) async throws {
    let outcome = try await run("\(pattern) { a: sleep 1ms; b: sleep 1ms after a }")
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains("does not order its steps"), "\(outcome)")
  }

  @Test(arguments: ["graph", "operations"])
  func `these patterns reject a cycle`(pattern: String) async throws {
    let outcome = try await run("\(pattern) { a: sleep 1ms after b; b: sleep 1ms after a }")
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains("these steps wait for each other"), "\(outcome)")
  }

  @Test(arguments: ["race", "any"])
  func `these patterns need a step`(pattern: String) async throws {
    let outcome = try await run("\(pattern) { }")
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains("takes at least 1 step, not 0"), "\(outcome)")
  }

  @Test(arguments: [
    // The value of a pattern that runs its steps in sequence, and its value without steps.
    ("timeout(20ms) { value 1; value 2 }", "value == 2"),
    ("retry(2) { value 1; value 2 }", "value == 2"),
    ("serial { value 3; timeout(20ms) { } }", "value == 3"),
    ("serial { value 3; retry(2) { } }", "value == 3"),
    // The input of each step.
    ("serial { value 7; race { sleep 1ms; sleep 2ms } }", "value == 7"),
    ("serial { value 7; any { sleep 1ms; sleep 2ms } }", "value == 7"),
    // `after` an earlier step.
    ("timeout(20ms) { a: sleep 1ms; b: sleep 1ms after a }", "order a, b"),
    ("retry(2) { a: sleep 1ms; b: sleep 1ms after a }", "order a, b"),
    // Cancelled in a delay.
    ("timeout(8ms) { retry(2, delay: 10ms) { a: fail \"busy\" } }", "makespan == 8ms"),
    ("timeout(8ms) { race { a: sleep 10ms; b: sleep 20ms } }", "finished b == 8ms"),
    ("timeout(8ms) { any { a: sleep 10ms; b: sleep 20ms } }", "finished b == 8ms"),
  ])
  func `a fact of the tables holds`(composition: String, expectation: String) async throws {
    let outcome = try await run("\(composition)\nexpect \(expectation)")
    let record = try #require(try outcome.records("expect").first, "\(outcome)")
    #expect(record.bool("passed") == true, "\(outcome)")
  }

  private func run(_ script: String) async throws -> PlaygroundProcess.Outcome {
    try await PlaygroundHome().records("load\n" + script)
  }
}
