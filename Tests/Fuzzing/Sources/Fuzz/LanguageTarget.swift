import PlaygroundLanguage

/// Parses any bytes as a script, as the prompt does. Also checks its errors, whether it needs more lines, and its
/// completion.
enum LanguageTarget {
  static let words =
    Keyword.allCases.map(\.rawValue) + CommandName.allCases.map(\.rawValue)
    + ExpectationSyntax.subjects + TraceSubcommand.allCases.map(\.rawValue)
    + ComparisonOperator.allCases.map(\.rawValue)
    + [
      "20ms", "1.5s", "320x200", "50%", "(0, 0, 1, 1)", "\\u{e9}", " after ", " with ", ": ", " * ",
    ]

  static func run(_ bytes: [UInt8]) -> Int32 {
    do throws(Diagnostic) {
      parse(try Source(name: "fuzz.play", bytes: bytes))
    } catch {
      check(!error.rendered().isEmpty, "an error without text")
    }
    return 0
  }

  private static func parse(_ source: Source) {
    let count = source.bytes.count
    let (script, diagnostics) = Parser.parse(source)
    for diagnostic in diagnostics {
      check(diagnostic.range.end <= count, "an error beyond the end: \(diagnostic)")
      check(!diagnostic.rendered(width: 40).isEmpty, "an error without text: \(diagnostic)")
    }
    for statement in script.statements {
      check(statement.range.end <= count, "a statement beyond the end: \(statement)")
    }
    let text = source.text(SourceRange(0, count))
    if Parser.needsMore(text) { check(!diagnostics.isEmpty, "a whole script needs more") }
    let context = CompletionContext(textBeforeCursor: text)
    check(context.range.end <= count, "a completion beyond the end: \(context)")
    check(context.text == source.text(context.range), "a completion of other text: \(context)")
    _ = try? Parser.parseValue(source)
  }
}
