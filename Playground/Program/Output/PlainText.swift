/// What the program itself says, for a terminal that knows ASCII alone.
enum PlainText {
  private static let substitutes: [Character: String] = [
    "“": "\"", "”": "\"", "’": "'", "…": "...", "—": "-", "–": "-", "·": "|", "→": "->", "×": "x",
  ]

  /// Whether the terminal knows more.
  static let isUnicode = TerminalStyle.isUnicode(UserFolders.environment)

  /// The text with the program's own signs written in ASCII. What somebody else wrote, such as a label,
  /// stays as it is.
  static func plain(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 0x80 }
      ? text : text.map { substitutes[$0] ?? String($0) }.joined()
  }
}
