import PlaygroundLanguage

/// Prints each expression of a script, and parses the text again. The meaning must be the same, and so must the text
/// when it is printed once more.
enum PrintingTarget {
  static func run(_ bytes: [UInt8]) -> Int32 {
    guard let source = try? Source(name: "fuzz.play", bytes: bytes) else { return -1 }
    let (script, diagnostics) = Parser.parse(source)
    guard diagnostics.isEmpty else { return -1 }
    for statement in script.statements {
      for expression in expressions(of: statement) { compare(expression, of: source) }
    }
    return 0
  }

  private static func expressions(of statement: Statement) -> [ExpressionSyntax] {
    switch statement.kind {
    case .assignment(_, let expression), .run(let expression, _): [expression]
    case .command(let command):
      switch command.kind {
      case .run(let expression, _): [expression]
      case .compare(let comparison): [comparison.list] + comparison.patterns.map { .call($0) }
      case .explore(let exploration): [exploration.expression]
      default: []
      }
    case .declaration: []
    }
  }

  private static func compare(_ expression: ExpressionSyntax, of source: Source) {
    // Swift code on one line may mean something else.
    let printed = SourcePrinter(source, keepsLines: true).text(expression)
    guard printed.utf8.count <= Source.longestLine else { return }
    // A name could be a command if it started the statement.
    let prefix = "x = "
    let again = Source(name: "printed.play", text: prefix + printed)
    let (script, diagnostics) = Parser.parse(again)
    check(diagnostics.isEmpty, "the printed text has an error: \(printed): \(diagnostics)")
    guard script.statements.count == 1, case .assignment(_, let parsed) = script.statements[0].kind
    else { fatalError("the printed text is not one expression: \(printed)") }
    let (first, second) = (Outline.expression(expression), Outline.expression(parsed))
    check(first == second, "printed as \(printed)\nthe meaning \(first)\nbecame \(second)")
    let twice = SourcePrinter(again, keepsLines: true).text(parsed)
    check(twice == printed, "printed as \(printed)\nand then as \(twice)")
  }
}
