extension HelpText {
  /// All terms, each with its meaning.
  static func glossary(width: Int?) -> String {
    let rows = Glossary.terms.map { ["  " + $0.name, $0.meaning] }
    return """
      The terms of pictures, help and messages; “help TERM” explains one:

      \(TextTable(columns: ["", ""], rows: rows).text(width: width))
      """
  }
}
