extension Parser {
  /// Whether text typed at a prompt is the beginning of something that goes on on the next line.
  ///
  /// It is when a bracket is open, or when the last line ends with `,`, `=` or `under`, and nothing
  /// in the text is wrong already.
  ///
  /// - Complexity: O(length).
  public static func needsMore(_ text: String) -> Bool {
    let diagnostics = parse(Source(name: "", text: text + "\n")).diagnostics
    return !diagnostics.isEmpty && diagnostics.allSatisfy(\.isUnfinished)
  }
}
