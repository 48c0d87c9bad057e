/// Converts the program's own text for a terminal that can show only ASCII.
enum PlainText {
  private static let substitutes: [Character: String] = [
    "“": "\"", "”": "\"", "’": "'", "…": "...", "—": "-", "–": "-", "·": "|", "→": "->", "×": "x",
  ]

  /// Whether the terminal can show Unicode.
  static let isUnicode = TerminalStyle.isUnicode(ProgramEnvironment.variables)

  /// The text with the program's own punctuation and signs in ASCII. Other characters, such as those of a label, stay
  /// as they are.
  static func plain(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 0x80 }
      ? text : text.map { substitutes[$0] ?? String($0) }.joined()
  }
}
