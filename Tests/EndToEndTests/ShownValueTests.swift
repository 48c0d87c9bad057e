import Foundation
import TerminalTesting
import Testing

/// The values of runs, at the prompt and in scripts.
@Suite struct ShownValueTests {
  static let values: [(script: String, shown: String)] = [
    ("value 42", "→ 42"),
    ("value \"a\"", "→ \"a\""),
    ("sh \"printf 'a\\\\nb\\\\nc\\\\n'\"", "→ a\n  b\n  c"),
    ("sh \"seq 9\"", "→ 1\n  2\n  3\n  4\n  5\n  … and 4 more lines"),
    ("all { value 1; value \"b\" }", "→ [1, \"b\"]"),
    ("all { 12 * value 7 }", "→ [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, … and 2 more]"),
    ("sh \"head -c 2000 /dev/zero; printf '\\\\377'\"", "→ data, 2 kB"),
    ("value true", "→ true"),
  ]

  @Test func `a run shows its value`() async throws {
    let terminal = try await PromptTests.open(PlaygroundHome())
    try await terminal.type("load Promises\n", expecting: "\n> ")
    for (script, shown) in Self.values {
      let said = try await terminal.type(script + "\n", expecting: "\n> ")
      #expect(said.hasSuffix("\n\(shown)\n> "), "\(script): \(said)")
      #expect(!said.contains("an event"), "\(said)")
    }
    let silent = try await terminal.type("sleep 1ms\n", expecting: "\n> ")
    #expect(!silent.contains("→"), "no value: \(silent)")
    try await terminal.type("show 1\n", expecting: "an event\n")
  }

  @Test(arguments: values)
  func `a run of a script shows its value`(script: String, shown: String) async throws {
    let outcome = try await PlaygroundHome().eval("load Promises; \(script)")
    #expect(outcome.code == 0 && outcome.output.hasSuffix("\n\(shown)\n"), "\(outcome)")
    #expect(!outcome.output.contains("an event"), "\(outcome)")
  }

  @Test(arguments: [
    ("sh \"seq 9000 | tr '\\n' ' '\"", "… (43 893 characters)"),
    ("all { 9 * value \"a long text in each of many elements\" }", ", … and 8 more]"),
  ])
  func `a long value shows its beginning, and how much more there is`(
    script: String, end: String
  ) async throws {
    let outcome = try await PlaygroundHome().eval("load Promises; set width 60; \(script)")
    let last = outcome.output.split(separator: "\n").last ?? ""
    #expect(last.hasPrefix("→ ") && last.hasSuffix(end) && last.count <= 60, "\(outcome)")
  }

  @Test func `a script shows the cost of recording on demand`() async throws {
    let outcome = try await PlaygroundHome().eval("value 1; show; print \"hi\"")
    #expect(outcome.output.components(separatedBy: " an event").count == 2, "\(outcome)")
    #expect(outcome.output.hasSuffix("\n→ 1\nhi\n"), "\(outcome)")
  }

  @Test func `print shows its text alone`() async throws {
    let terminal = try await PromptTests.open(PlaygroundHome())
    try await terminal.type("print \"hi\"\n", expecting: "\nhi\n> ")
    try await terminal.type("runs\n", expecting: "print \"hi\"")
  }

  @Test func `last names the last value`() async throws {
    let terminal = try await PromptTests.open(PlaygroundHome())
    try await terminal.type(
      "load Promises; sh \"printf 'a\\\\nb\\\\nc\\\\n'\"\n", expecting: "  c\n> ")
    try await terminal.type("sleep 1ms\n", expecting: "\n> ")
    try await terminal.type(
      "promise { last; sh \"wc -l | tr -d ' '\" }\n", expecting: "→ \"3\"\n> ")
    try await terminal.type("last\n", expecting: "→ \"3\"\n> ")
  }

  @Test func `last is the value before the statement, in a script too`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.records(
      "load SerialQueue; value 7; serial { last; value 8 }; last; explore last runs 3; value 9",
      "--check-determinism")
    #expect(outcome.code == 0, "\(outcome)")
    let values = try outcome.records("run").compactMap { $0.integer("value") }
    #expect(values.prefix(3) == [7, 8, 8] && values.last == 9, "\(outcome)")
    let none = try await home.records("last")
    #expect(none.code == 0, "\(none)")
    let bound = try await home.eval("last = value 1")
    #expect(bound.errors.contains("“last” is already a pattern or a step"), "\(bound)")
  }

  @Test func `a text goes into a command as a line`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "load Promises; promise { sh \"printf 'a\\\\nb\\\\nc\\\\n'\"; sh \"wc -l | tr -d ' '\" }\n"
        + "expect value == \"3\"")
    #expect(outcome.code == 0, "\(outcome)")
  }
}
