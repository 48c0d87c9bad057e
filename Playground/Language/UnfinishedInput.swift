extension Parser {
  /// Whether text typed at a prompt is incomplete and continues on the next line.
  ///
  /// It is incomplete if a bracket is open, if a declaration of Swift has no end, or if the last line ends with `,`,
  /// `=` or `under`. A text with any other error is not.
  ///
  /// - Complexity: O(length).
  public static func needsMore(_ text: String) -> Bool {
    let diagnostics = parse(Source(name: "", text: text + "\n")).diagnostics
    return !diagnostics.isEmpty && diagnostics.allSatisfy(\.isUnfinished)
  }
}
