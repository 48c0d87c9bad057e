import Foundation
import TerminalTesting
import Testing

/// The article “Write a pattern of your own”: its two versions, its commands, and their output.
@Suite struct WriteAPatternTests {
  private let article: Article
  private let home: PlaygroundHome

  init() throws {
    article = try Article("Modules/Patterns/AsyncPatterns/AsyncPatterns.docc/WriteAPattern.md")
    home = try PlaygroundHome()
  }

  /// The versions of `Hedged.swift`, and a test of it.
  private var code: [String] { article.blocks(in: "swift") }

  @Test func `each command prints what the article shows`() async throws {
    try #require(code.count == 3)
    // The first two commands use the first version.
    let exitCodes: [Int32] = [0, 1, 0, 0, 0]
    let commands = article.commands
    try #require(commands.count == exitCodes.count)
    for (index, (command, exitCode)) in zip(commands, exitCodes).enumerated() {
      try home.write(code[index < 2 ? 0 : 1], to: "Hedged.swift")
      try #require(command.words[0] == "playground")
      let outcome = try await home.run(Array(command.words.dropFirst()))
      #expect(outcome.code == exitCode, "\(outcome)")
      #expect(outcome.output == command.shown, "\(outcome)")
    }
  }

  @Test func `the replay shows the finding again`() async throws {
    try home.write(code[0], to: "Hedged.swift")
    let block = try #require(article.blocks(in: "text").first)
    let line = try #require(block.split(separator: "\n").first)
    try #require(line.hasPrefix("> replay "))
    let outcome = try await home.eval("load ./Hedged.swift\n\(line.dropFirst(2))")
    #expect(outcome.code == 3, "\(outcome)")
    #expect(outcome.output.contains("the run is cancelled"), "\(outcome)")
    #expect(outcome.output.contains("completion-dropped: “hedged”"), "\(outcome)")
  }

  @Test func `the examples of its manual run`() async throws {
    try home.write(code[1], to: "Hedged.swift")
    let help = try await home.eval("load ./Hedged.swift\nhelp hedged")
    let examples = ManualExampleTests.examples(in: help.output)
    #expect(examples.count == 2, "\(help)")
    for example in examples {
      let outcome = try await home.records("load ./Hedged.swift\n\(example)")
      #expect(outcome.code == 0, "\(outcome)")
    }
  }

  @Test func `it is an error to leave out the steps`() async throws {
    try home.write(code[1], to: "Hedged.swift")
    let outcome = try await home.eval("load ./Hedged.swift\nhedged(10ms) { }")
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains("“hedged” takes at least 1 step, not 0"), "\(outcome)")
  }
}
