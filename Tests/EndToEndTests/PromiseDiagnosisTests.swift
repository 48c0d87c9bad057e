import Foundation
import Testing

/// What the playground shows about promises: which step resolved which promise, and which errors and promises were
/// lost.
@Suite struct PromiseDiagnosisTests {
  private static let plugin = BugTests.folder + "/UnhandledFailure.swift"

  /// The numbers of the lines of the plugin that contain `text`, starting with 1.
  private static func lines(with text: String) throws -> [Int] {
    try String(contentsOfFile: plugin, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false
    ).enumerated().filter { $0.element.contains(text) }.map { $0.offset + 1 }
  }

  private static func run(_ script: String) async throws -> JSONRecord {
    let outcome = try await PlaygroundHome().records("load Promises \"\(plugin)\"\n\(script)")
    return try #require(try outcome.records("run").first, "\(outcome)")
  }

  private static func lints(_ run: JSONRecord) -> [String] {
    run.objects("lints").map { "\($0.string("rule") ?? "") of \($0.string("step") ?? "")" }
  }

  @Test func `a failure without a handler is a lint with both sites`() async throws {
    let run = try await Self.run(#"promise { a: fire-and-forget { b: fail "no page" } }"#)
    #expect(run.string("outcome") == "success")
    #expect(Self.lints(run) == ["unhandled-failure of a"])
    let message = try #require(run.objects("lints").first?.string("message"))
    #expect(message.contains("“no page”"))
    let began = try #require(Self.lines(with: "Promise(on: .inline").first)
    let end = try #require(Self.lines(with: ".ensure {").first)
    #expect(message.contains("/UnhandledFailure.swift:\(began), "))
    #expect(
      message.contains("/UnhandledFailure.swift:\(end) was released; end the chain with catch"))
  }

  /// The last step releases the promise when the run has settled.
  @Test func `on the live clock every run has the finding`() async throws {
    let outcome = try await PlaygroundHome().eval(
      """
      load "\(Self.plugin)"
      set runs 50
      fire-and-forget { b: fail "no page" }
      """, "--json", "--clock", "live")
    let runs = try outcome.records("run")
    #expect(runs.count == 50)
    #expect(
      runs.allSatisfy { Self.lints($0) == ["unhandled-failure of fire-and-forget"] }, "\(outcome)")
  }

  @Test func `an unused resolver is a finding with the promise's line`() async throws {
    let run = try await Self.run(#"promise { a: lost-resolver { b: fail "no page" } }"#)
    #expect(run.string("outcome") == "failure")
    #expect(run.objects("lints").map { $0.string("rule") } == ["completion-dropped"])
    let made = try #require(Self.lines(with: "Promise(on: .inline").first)
    let message = try #require(run.objects("lints").first?.string("message"))
    #expect(message.contains("/UnhandledFailure.swift:\(made) was released unresolved; resolve"))
  }

  @Test(arguments: [
    #"fire-and-forget.fixed { b: fail "no page" }"#, #"lost-resolver.fixed { b: fail "no page" }"#,
    "fire-and-forget { b: value 1 }", "lost-resolver { b: value 1 }",
    #"all { a: fail "x"; b: fail "y"; c: sleep 1ms }"#, #"any { a: fail "x"; b: fail "y" }"#,
    #"race { a: sleep 1ms; b: promise { sleep 2ms; fail "y" } }"#,
    #"settled { a: fail "x"; b: fail "y" }"#, #"retry(2) { a: fail "x" }"#,
    #"recover { a: fail "x"; b: value 1 }"#, #"timeout(1ms) { a: sleep 2ms; b: fail "x" }"#,
    #"delay(1ms) { a: fail "x" }"#,
  ])
  func `a handled failure is not a finding`(script: String) async throws {
    #expect(Self.lints(try await Self.run(script)) == [])
  }

  /// A pattern that waits for all of its steps is not resolved by any single one.
  static let resolved: [(script: String, edges: [String])] = [
    (
      "promise { a: sleep 1ms; b: sleep 2ms; c: value 1 }",
      ["a → b dependency", "b → c dependency"]
    ),
    (
      "all { a: sleep 2ms; b: race { c: promise { d: sleep 5ms; e: sleep 1ms }; f: sleep 9ms } }",
      ["d → e dependency", "c → b resolved-by"]
    ),
    ("any { a: fail \"x\"; b: sleep 1ms }", ["b → any resolved-by"]),
    ("settled { a: sleep 2ms; b: fail \"x\" }", []),
    ("delay(5ms) { a: sleep 1ms }", []),
    ("timeout(5ms) { a: sleep 1ms }", ["a → timeout resolved-by"]),
    // The clock resolved the pattern, not a step.
    ("timeout(5ms) { a: sleep 9ms }", []),
    ("recover { a: fail \"x\"; b: sleep 1ms }", ["a → b permit-from", "b → recover resolved-by"]),
  ]

  @Test(arguments: resolved)
  func `edges record each resolution up to the outermost promise`(
    script: String, edges: [String]
  ) async throws {
    let run = try await Self.run(script)
    let found = run.objects("edges").map {
      "\($0.string("from") ?? "") → \($0.string("to") ?? "") \($0.string("kind") ?? "")"
    }
    #expect(found == edges)
  }
}
