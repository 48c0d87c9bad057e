import TerminalTesting
import Testing

/// Plugins that change, fail and crash while the user is at the prompt.
@Suite struct PromptPluginTests {
  @Test func `reload replaces a pattern with its edited version`() async throws {
    let home = try PlaygroundHome()
    try home.write(PluginSources.answer(41), to: "Answer.swift")
    let terminal = try await PromptTests.open(home)
    try await terminal.type(
      "load Answer.swift; answer { value 0 }; expect value == 41\n", expecting: "ok: value == 41")
    try await terminal.expect("\n> ")

    try home.write(PluginSources.answer(42), to: "Answer.swift")
    try await terminal.type(
      "answer { value 0 }; expect value == 41\n", expecting: "ok: value == 41")
    try await terminal.type("reload Answer\n", expecting: "reloaded Answer: answer")
    try await terminal.expect("\n> ")
    try await terminal.type(
      "answer { value 0 }; expect value == 42\n", expecting: "ok: value == 42")

    // A source that does not compile changes nothing, and the compiler's message is shown.
    try home.write(
      PluginSources.answer(43).replacing(".integer(43)", with: ".integr(43)"), to: "Answer.swift")
    terminal.type("reload Answer\n")
    let said = try await terminal.expect("\n> prompt:1:8: error:".replacing("> ", with: ""))
    #expect(said.contains("Answer.swift:") && said.contains("has no member 'integr'"), "\(said)")
    try await terminal.expect("\n> ")
    try await terminal.type(
      "answer { value 0 }; expect value == 42\n", expecting: "ok: value == 42")

    try await terminal.type("unload Answer; plugins\n", expecting: "\n> ")
    try await terminal.type(
      "answer { value 0 }\n", expecting: "there is no pattern, step or name “answer”")
  }

  @Test func `a crash while a plugin is probed does not end the prompt`() async throws {
    let home = try PlaygroundHome()
    try home.write(PluginSources.crashing, to: "Crashing.swift")
    let terminal = try await PromptTests.open(home)
    let said = try await terminal.type("load Crashing.swift\n", expecting: "\n> ")
    #expect(said.contains("crashed"), "\(said)")
    #expect(said.contains("on purpose"), "its last words: \(said)")
    try await terminal.type("value 1\n", expecting: "value 1 · success")
  }

  @Test func `a plugin that does not compile is an error`() async throws {
    let home = try PlaygroundHome()
    try home.write("import AsyncPatterns\nlet x: Int = \"a\"\n", to: "Broken.swift")
    let outcome = try await home.eval("print \"ran\"; load Broken.swift", "--json")
    #expect(outcome.code == 2)
    #expect(try outcome.records().map { $0.string("record") } == ["error"])
    #expect(outcome.errors.contains("Broken.swift"))
    #expect(!outcome.errors.contains("ran\n"))
  }
}
