import Foundation
import TerminalTesting
import Testing

/// `save` and `edit`, the commands for what was typed at the prompt.
@Suite struct TypedTests {
  /// Writes an editor that replaces “1” by “2” in the file that it is given.
  private static func editor(in home: PlaygroundHome) async throws -> [String: String] {
    ["VISUAL": try await home.writeProgram("#!/bin/sh\nsed -i s/1/2/ \"$1\"\n", to: "editor")]
  }

  @Test func `what was typed is saved as a script, without the mistakes`() async throws {
    let home = try PlaygroundHome()
    let terminal = try await PromptTests.open(home)
    try await terminal.type("swift struct A {\n", expecting: ". ")
    try await terminal.type("let a = 7 }\n", expecting: "declared struct A")
    try await terminal.expect("\n> ")
    try await terminal.type("valeu 7\n", expecting: "did you mean")
    try await terminal.expect("\n> ")
    try await terminal.type("swift { A().b }\n", expecting: "has no member")
    try await terminal.expect("\n> ")
    try await terminal.type("swift { A().a }; expect value == 7\n", expecting: "ok: value == 7")
    try await terminal.expect("\n> ")
    try await terminal.type("save a.play\n", expecting: "saved 2 entries to a.play")
    try await terminal.expect("\n> ")
    let text = try String(contentsOfFile: home.workingFolder + "/a.play", encoding: .utf8)
    #expect(
      text == """
        #!/usr/bin/env playground
        swift struct A {
        let a = 7 }
        swift { A().a }; expect value == 7

        """)
    let outcome = try await home.run(["a.play"])
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `save replaces only a script that it has written`() async throws {
    let home = try PlaygroundHome()
    try home.write("precious\n", to: "a.play")
    let terminal = try await PromptTests.open(home)
    try await terminal.type("value 1\n", expecting: "\n> ")
    try await terminal.type("save a.play\n", expecting: "exists and is not a script")
    try await terminal.expect("\n> ")
    try await terminal.type("save a.png\n", expecting: "is for other")
    try await terminal.expect("\n> ")
    try await terminal.type("save b.play\n", expecting: "saved 1 entry to b.play")
    try await terminal.expect("\n> ")
    try await terminal.type("save b.play\n", expecting: "saved 1 entry to b.play")
  }

  @Test func `edit opens the last entry, and runs what was changed`() async throws {
    let home = try PlaygroundHome()
    let terminal = try await PromptTests.open(home, environment: Self.editor(in: home))
    try await terminal.type("swift { 1 + oops }\n", expecting: "cannot find 'oops'")
    try await terminal.expect("\n> ")
    try await terminal.type("value 1\n", expecting: "value 1 · success")
    try await terminal.expect("\n> ")
    try await terminal.type("show all\n", expecting: "\n> ")
    try await terminal.type("edit\n", expecting: "value 2 · success")
    try await terminal.expect("\n> ")
    // The edited entry is the last one now. It contains no 1, so the editor changes nothing.
    try await terminal.type("edit\n", expecting: "Nothing was changed.")
    try await terminal.expect("\n> ")
    try await terminal.type("value 3 \n", expecting: "value 3 · success")
    try await terminal.expect("\n> ")
    try await terminal.type("edit\n", expecting: "Nothing was changed.")
  }

  @Test func `edit opens a definition`() async throws {
    let home = try PlaygroundHome()
    let terminal = try await PromptTests.open(home, environment: Self.editor(in: home))
    try await terminal.type("swift func one() -> Int { 1 }\n", expecting: "declared func one")
    try await terminal.expect("\n> ")
    try await terminal.type("edit one\n", expecting: "replaced func one")
    try await terminal.expect("\n> ")
    try await terminal.type("swift { one() }; expect value == 2\n", expecting: "ok: value == 2")
    try await terminal.expect("\n> ")
    try await terminal.type("a = value 1\n", expecting: "\n> ")
    try await terminal.type("edit a\n", expecting: "a = value 2")
    try await terminal.expect("\n> ")
    try await terminal.type("a; expect value == 2\n", expecting: "ok: value == 2")
    try await terminal.expect("\n> ")
    try await terminal.type("edit oen\n", expecting: "did you mean “one”?")
  }

  @Test func `both need the prompt`() async throws {
    let home = try PlaygroundHome()
    let saved = try await home.eval("value 1; save a.play")
    #expect(saved.code == 2)
    #expect(saved.errors.contains("writes what was typed at the prompt"), "\(saved)")
    let edited = try await home.eval("a = value 1; edit a")
    #expect(edited.code == 2)
    #expect(edited.errors.contains("“edit” needs the prompt"), "\(edited)")
    let alone = try await home.run(["--json", "eval", "help; edit"])
    let errors = try alone.records("error")
    #expect(errors.compactMap { $0.string("message") } == ["“edit” needs the prompt"])
    #expect(errors.map { $0.integer("column") } == [7], "\(alone)")
  }

  @Test func `a missing file is reported, unless “save” is a name`() async throws {
    let home = try PlaygroundHome()
    let missing = try await home.eval("value 1; save")
    #expect(missing.code == 2 && missing.errors.contains("a file is missing"), "\(missing)")
    let named = try await home.eval("save = value 1; save; expect value == 1")
    #expect(named.code == 0, "\(named)")
  }
}
