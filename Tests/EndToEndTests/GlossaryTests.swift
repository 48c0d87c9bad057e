import Foundation
import Testing

/// The terms that `help` explains, and the page that lists them.
@Suite struct GlossaryTests {
  private struct Term {
    let name: String
    let meaning: String
    var line: String { name + ": " + meaning }
  }

  private static let page =
    BugTests.root + "/Modules/Patterns/AsyncPatterns/AsyncPatterns.docc/Glossary.md"

  /// The terms of the page, in its order.
  private func terms() throws -> [Term] {
    try String(contentsOfFile: Self.page, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("- ") }
      .map { line in
        let parts = line.dropFirst("- **".count).split(separator: "**: ", maxSplits: 1)
        try #require(line.hasPrefix("- **") && parts.count == 2, "\(line)")
        return Term(name: String(parts[0]), meaning: String(parts[1]))
      }
  }

  @Test func `the page has the lines of “help glossary”`() async throws {
    let terms = try terms()
    #expect(terms.count > 50)
    #expect(terms.map(\.name) == terms.map(\.name).sorted())
    let help = try await PlaygroundHome().eval("help glossary")
    let width = terms.map(\.name.count).max() ?? 0
    let rows = terms.map { term in
      "  " + term.name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + term.meaning
    }
    #expect(help.code == 0)
    #expect(help.output.split(separator: "\n").dropFirst().map(String.init) == rows)
  }

  @Test func `“help TERM” prints the line of the page`() async throws {
    // These terms are also names of commands and steps, which take precedence.
    let others = ["replay", "run", "trace", "work"]
    let terms = try terms().filter { !others.contains($0.name) }
    let help = try await PlaygroundHome().eval(
      terms.map { "help \($0.name)" }.joined(separator: "\n"))
    let lines = help.output.split(separator: "\n").map(String.init)
    #expect(lines.filter { !$0.contains("is also a pattern") } == terms.map(\.line))
    #expect(lines.contains("“race” is also a pattern: “load Promises” loads it"))
  }

  @Test func `a pattern and a command win over a term`() async throws {
    let help = try await PlaygroundHome().eval("load Promises; help promise; help replay")
    #expect(help.output.hasPrefix("promise"))
    #expect(help.output.contains("Chains its steps with “then”"))
    #expect(help.output.contains("replay \"SCHEDULE: SCRIPT\""))
    for term in try terms() where ["promise", "replay"].contains(term.name) {
      #expect(!help.output.contains(term.line))
    }
  }

  @Test func `a similar term is offered`() async throws {
    let help = try await PlaygroundHome().eval("help critcal path")
    #expect(help.errors.contains("did you mean “critical path”?"), "\(help)")
  }
}
