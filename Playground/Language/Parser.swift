/// Parses a source into a syntax tree.
///
/// It knows only the grammar: no patterns, steps or bindings. After an error it continues with the next step or
/// statement, so one pass finds several errors. Nesting uses no call stack: open lists are kept in an array.
///
/// - Complexity: O(length of the source).
public struct Parser {
  /// The largest number of steps in one list, with counts expanded.
  public static let mostSteps = 1_000_000
  /// The maximum depth of nested lists.
  public static let deepestNesting = 200
  /// The maximum number of errors. The rest of the source is not read.
  static let mostDiagnostics = 100

  let source: Source
  var lexer: Lexer
  /// The current token.
  var token: Token
  /// The end of the last consumed token.
  var consumedEnd = 0
  var diagnostics: [Diagnostic] = []

  init(_ source: Source) {
    self.source = source
    lexer = Lexer(source)
    token = lexer.next()
  }

  /// Parses a complete script.
  ///
  /// The script contains the statements that are valid. Run it only if there are no diagnostics. The diagnostics are in
  /// the order of the text.
  public static func parse(_ source: Source) -> (script: Script, diagnostics: [Diagnostic]) {
    if let line = source.overlongLine {
      let start = source.lineRange(line).start
      let tooLong = Diagnostic(
        "this line is longer than \(Source.longestLine) bytes", at: SourceRange(start, start),
        in: source, hint: "write each step on a line of its own")
      return (Script(statements: []), [tooLong])
    }
    if source.bytes.count > Int(UInt32.max) {
      let tooLarge = Diagnostic(
        "this source is larger than 4 GB", at: SourceRange(0, 0), in: source)
      return (Script(statements: []), [tooLarge])
    }
    var parser = Parser(source)
    let script = parser.script()
    return (script, parser.diagnostics.sorted { $0.range.start < $1.range.start })
  }

  /// Parses one value, a literal or a word, for example the value after `--set` on the command line.
  ///
  /// - Throws: a ``Diagnostic`` if the text is anything else.
  public static func parseValue(_ source: Source) throws(Diagnostic) -> ValueSyntax {
    var parser = Parser(source)
    let value = try? parser.value()
    if value != nil, parser.token.kind != .end { _ = parser.superfluous(hint: nil) }
    if let first = parser.diagnostics.first { throw first }
    guard let value else { throw Diagnostic("a value is missing", at: source.end, in: source) }
    return value
  }

  // MARK: - Statements

  private mutating func script() -> Script {
    var statements: [Statement] = []
    while true {
      skipSeparators()
      if token.kind == .end { return Script(statements: statements) }
      do {
        let statement = try statement()
        guard token.isSeparator || token.kind == .end else {
          throw misplaced(after: statement)
        }
        statements.append(statement)
      } catch {
        recover(insideList: false)
      }
    }
  }

  private mutating func statement() throws(SyntaxFailure) -> Statement {
    let start = token.range
    switch token.kind {
    case .name:
      if let command = try commandOfName() { return Statement(command) }
      let name = consumeName()
      if name.text == Self.swift, startsDeclaration {
        return try declaration(from: start)
      }
      if isMark("?") { return Statement(help(about: name)) }
      if token.kind == .assign {
        advance()
        skipNewlines()
        let bound = try expression()
        return Statement(
          kind: .assignment(name, bound), range: start.joined(with: bound.range))
      }
      return try run(expression(startingWith: name), from: start)
    case .openBracket:
      return try run(expression(), from: start)
    case .keyword where token.keyword!.isCommand:
      let (next, afterNext) = lexer.lookahead()
      if next == UInt8(ascii: "="), afterNext != UInt8(ascii: "=") { throw reservedName() }
      if next == UInt8(ascii: "?") { return Statement(help(about: consumeName())) }
      return Statement(try command())
    case .invalid where isMark("!"): return Statement(try shellCommand())
    case .invalid where isMark("?"): return Statement(try help())
    default:
      throw noStatement()
    }
  }

  private mutating func run(
    _ expression: ExpressionSyntax, from start: SourceRange
  ) throws(SyntaxFailure) -> Statement {
    let background = consume(.ampersand)
    return Statement(
      kind: .run(expression, background: background),
      range: SourceRange(start.start, consumedEnd))
  }

  // MARK: - Tokens

  /// Moves to the next token.
  mutating func advance() {
    consumedEnd = token.range.end
    token = lexer.next()
  }

  /// Moves to the rest of the line, as one word.
  mutating func advanceToLine() {
    consumedEnd = token.range.end
    token = lexer.nextLine()
  }

  /// Whether the current token is this character, for which there is no kind of token.
  func isMark(_ character: Unicode.Scalar) -> Bool {
    token.kind == .invalid && source.text(token.range) == String(character)
  }

  /// Moves to the next word of a command that takes paths.
  mutating func advanceToWord() {
    consumedEnd = token.range.end
    token = lexer.nextWord()
  }

  /// Consumes the token if it has this kind.
  mutating func consume(_ kind: Token.Kind) -> Bool {
    guard token.kind == kind else { return false }
    advance()
    return true
  }

  /// Consumes the token if it is this keyword.
  mutating func consume(_ keyword: Keyword) -> Bool {
    guard token.is(keyword) else { return false }
    advance()
    return true
  }

  /// Consumes a comma and the newlines after it: a line that ends with a comma continues on the next line.
  mutating func consumeComma() -> Bool {
    guard consume(.comma) else { return false }
    skipNewlines()
    return true
  }

  mutating func skipNewlines() {
    while token.kind == .newline { advance() }
  }

  mutating func skipSeparators() {
    while token.isSeparator { advance() }
  }

  /// Skips to the end of a step or statement, including all brackets that open before it.
  ///
  /// Inside a list, stops before the bracket that closes the list. Parentheses are not counted. Otherwise an unclosed
  /// parenthesis would skip the rest of the text.
  mutating func recover(insideList: Bool) {
    var depth = 0
    while true {
      switch token.kind {
      case .end: return
      case .newline, .semicolon: if depth == 0 { return }
      case .openBrace, .openBracket: depth += 1
      case .closeBrace, .closeBracket:
        if depth == 0, insideList { return }
        depth = max(0, depth - 1)
      default: break
      }
      advance()
    }
  }
}

/// Signals that an error has been recorded and the current element cannot be completed.
struct SyntaxFailure: Error {}

extension Statement {
  fileprivate init(_ command: CommandSyntax) {
    self.init(kind: .command(command), range: command.range)
  }
}
