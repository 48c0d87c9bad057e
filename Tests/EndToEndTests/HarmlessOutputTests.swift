import TerminalTesting
import Testing

/// Text of a step, a value or a file does not control the terminal.
@Suite struct HarmlessOutputTests {
  /// Sets the title, writes to the clipboard and clears the screen.
  private static let harmful = "\u{1B}]0;title\u{7}|\u{1B}]52;c;aGk=\u{7}|\u{9B}2J"
  /// The same as the literal of a script.
  private static let literal = #""\u{1B}]0;title\u{7}|\u{1B}]52;c;aGk=\u{7}|\u{9B}2J""#
  private static let shown = "?]0;title?|?]52;c;aGk=?|?2J"

  private static func isHarmless(_ terminal: PseudoTerminal) -> Bool {
    !terminal.raw.unicodeScalars.contains { $0 == "\u{7}" || $0 == "\u{9B}" }
      && !terminal.raw.contains("\u{1B}]")
  }

  static let commands: [[String]] = [
    ["eval", "print \(literal)"],
    ["eval", "value \(literal); expect value == \(literal)"],
    ["eval", "value \(literal); expect value == 1"],
    ["eval", "fail \(literal)"],
    ["run", harmful],
    ["trace", "show", "a.runs"],
    ["trace", "export", "a.runs", "-", "--format", "csv"],
    ["trace", "export", "a.runs", "-", "--format", "chrome"],
    ["--json", "eval", "value \(literal)"],
  ]

  @Test(arguments: commands)
  func `a terminal shows control characters`(command: [String]) async throws {
    let home = try PlaygroundHome()
    _ = try await home.eval("fail \(Self.literal)", "--save", "a.runs")
    let terminal = try home.prompt(command)
    _ = try await terminal.waitForExit()
    #expect(Self.isHarmless(terminal), "\(terminal.raw.debugDescription)")
  }

  @Test func `lines and tabs stay, at the prompt as well`() async throws {
    let terminal = try await PromptTests.open(PlaygroundHome())
    try await terminal.type("print \"one\\n\\u{1B}[31mtwo\\u{7}\"\n", expecting: "one\n?[31mtwo?")
  }

  @Test func `a pipe gets printed text unchanged`() async throws {
    let outcome = try await PlaygroundHome().eval("print \(Self.literal)")
    #expect(outcome.output.utf8.starts(with: (Self.harmful + "\n").utf8), "\(outcome)")
  }

  @Test func `findings show control characters, even in a pipe`() async throws {
    let home = try PlaygroundHome()
    let script = #"load SerialQueue; serial { "e\u{1b}[31m\nd": block 10ms }"#
    for arguments in [["eval", script, "--save", "a.runs"], ["trace", "lint", "a.runs"]] {
      let outcome = try await home.run(arguments)
      #expect(outcome.output.contains("blocked-thread, e?[31m d: "), "\(outcome)")
      #expect(!outcome.output.contains("\u{1B}"), "\(outcome)")
    }
  }

  @Test func `tables show control characters, and count the columns of wide ones`() async throws {
    let outcome = try await PlaygroundHome().eval(
      #"load SerialQueue; serial { "e\u{1b}[31m\nd": sleep 1ms; 日本: sleep 1ms }; trace analyse"#,
      "--clock", "virtual")
    #expect(!outcome.output.contains("\u{1B}"), "\(outcome)")
    #expect(outcome.output.contains("\n  0    e?[31m d  1ms"), "\(outcome)")
    #expect(outcome.output.contains("\n  1ms  日本      1ms"), "\(outcome)")
  }
}
