import Testing

@testable import TraceDrawing

/// Text that may be written to a terminal.
@Suite struct TerminalTextTests {
  @Test(arguments: [
    ("plain “ä” 日本 👨‍👩‍👧", "plain “ä” 日本 👨‍👩‍👧"), ("a\tb\nc\r\nd", "a\tb\nc\r\nd"),
    ("a\rb", "a?b"), ("\u{1B}]0;x\u{7}", "?]0;x?"), ("\u{9B}2J\u{7F}\u{0}", "?2J??"),
    ("\u{202E}abc\u{2066}", "?abc?"), ("\u{1B}[31mred\u{1B}[0m", "?[31mred?[0m"),
  ])
  func `characters that control the terminal are replaced`(text: String, shown: String) {
    #expect(TerminalText.harmless(text) == shown)
  }

  @Test(arguments: [
    ("\u{1B}[38;2;1;20;3mred\u{1B}[0m\u{1B}[m", "\u{1B}[38;2;1;20;3mred\u{1B}[0m\u{1B}[m"),
    ("\u{1B}[2Jx\u{1B}[31", "?[2Jx?[31"), ("\u{1B}]0;m", "?]0;m"), ("\u{1B}", "?"),
  ])
  func `only colours can stay`(text: String, shown: String) {
    #expect(TerminalText.harmless(text, keepsColors: true) == shown)
  }
}
