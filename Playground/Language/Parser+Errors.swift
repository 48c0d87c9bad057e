extension Parser {
  /// Records an error. The caller can throw the result, or continue to parse.
  @discardableResult
  mutating func fail(
    _ message: String, at range: SourceRange? = nil, hint: String? = nil
  ) -> SyntaxFailure {
    let isUnfinished = range == nil && token.kind == .end
    add(
      Diagnostic(
        message, at: range ?? token.range, in: source, hint: hint, isUnfinished: isUnfinished))
    return SyntaxFailure()
  }

  /// Records an error. After 100 errors, the rest of the source is not read.
  mutating func add(_ diagnostic: Diagnostic) {
    guard diagnostics.count < Self.mostDiagnostics else { return }
    diagnostics.append(diagnostic)
    if diagnostics.count == Self.mostDiagnostics {
      diagnostics.append(
        Diagnostic("too many errors: the rest is not read", at: source.end, in: source))
      lexer.stop()
      token = lexer.next()
    }
  }

  mutating func fail(_ problem: LexicalProblem) -> SyntaxFailure {
    fail(problem.message, at: problem.range, hint: problem.hint)
  }

  /// Records that the current token is not what is required.
  mutating func unexpected(_ wanted: String, hint: String? = nil) -> SyntaxFailure {
    switch token.kind {
    case .invalid:
      if let problem = lexer.problem { return fail(problem) }
      return fail("“\(source.text(token.range))” means nothing here", at: token.range)
    case .end: return fail("\(wanted) is missing", hint: hint)
    case .newline: return fail("\(wanted) is missing at the end of the line", hint: hint)
    case .string: return fail("expected \(wanted), found a string", hint: hint)
    default:
      return fail("expected \(wanted), found “\(shown(token))”", hint: hint)
    }
  }

  /// Records that an additional token follows a complete element.
  mutating func superfluous(hint: String?) -> SyntaxFailure {
    if token.kind == .invalid { return unexpected("the end") }
    return fail("“\(shown(token))” is not allowed here", hint: hint)
  }

  /// Records that the text ends inside a bracket.
  mutating func unclosed(_ opener: SourceRange) -> SyntaxFailure {
    // If a later “)” closes nothing, it was meant to close this bracket.
    let stray = diagnostics.lastIndex {
      $0.range.start > opener.start && source.text($0.range) == ")"
    }
    if let stray {
      diagnostics[stray] = wrongCloser(at: diagnostics[stray].range, of: opener)
      return SyntaxFailure()
    }
    add(
      Diagnostic(
        "this “\(source.text(opener))” is never closed", at: opener, in: source,
        isUnfinished: true))
    return SyntaxFailure()
  }

  /// The error that a bracket of another kind closes a list.
  func wrongCloser(at range: SourceRange, of opener: SourceRange) -> Diagnostic {
    let line = source.location(of: opener).line
    return Diagnostic(
      "“\(source.text(range))” cannot close the “\(source.text(opener))” of line \(line)",
      at: range, in: source)
  }

  /// Records that a reserved word is used as a name.
  ///
  /// - Parameter isLabel: whether a label is allowed here, which may also be in quotes.
  mutating func reservedName(isLabel: Bool = false) -> SyntaxFailure {
    let word = shown(token)
    let kind = token.keyword?.isCommand == true ? "a command word" : "a reserved word"
    return fail(
      "“\(word)” is \(kind) and cannot be a name",
      hint: isLabel
        ? "choose another label, or put this one in quotes: \"\(word)\": …" : "choose another name")
  }

  /// Records that the current token cannot start a statement.
  mutating func noStatement() -> SyntaxFailure {
    let text = shown(token)
    switch token.kind {
    case .keyword:
      let (next, afterNext) = lexer.lookahead()
      if next == UInt8(ascii: "="), afterNext != UInt8(ascii: "=") { return reservedName() }
      return fail("“\(text)” is a reserved word and cannot start a statement")
    case .openBrace:
      return fail(
        "a block needs a pattern before it", hint: "put “{” on the pattern’s own line: serial { … }"
      )
    case .closeBrace, .closeBracket, .closeParenthesis:
      return fail("“\(text)” closes nothing")
    case .number:
      return fail(
        "a number cannot start a statement",
        hint: "a count goes before a step, inside a pattern’s braces: serial { 4 * sleep 10ms }")
    default:
      return unexpected("a statement")
    }
  }

  /// Records that an additional token follows a complete statement.
  mutating func misplaced(after statement: Statement) -> SyntaxFailure {
    var hint = "a statement ends with its line or with “;”"
    switch token.kind {
    case .closeBrace, .closeBracket, .closeParenthesis:
      return fail("“\(shown(token))” closes nothing")
    case .colon: hint = "labels go inside a pattern’s braces: serial { a: sleep 10ms }"
    case .ampersand: hint = "only a run can go to the background"
    case .assign: hint = "a name that is bound is one word: job = [ … ]"
    case .openBrace:
      if case .run(.list, _) = statement.kind {
        hint = "a pattern’s name goes before its steps: serial { … }"
      }
    case .keyword where token.is(.after) || token.is(.with):
      hint = "“\(shown(token))” goes after a step, inside a pattern’s braces"
    case .keyword where token.is(.under): hint = "compare job under serial, promise"
    case .name, .number, .string:
      if case .command = statement.kind { break }
      if let more = secondBodyHint { hint = more }
    default: break
    }
    return superfluous(hint: hint)
  }

  /// The hint to use braces for nested patterns, since nothing can follow a body that is only a name.
  var secondBodyHint: String? {
    switch token.kind {
    case .name, .number, .string, .openParenthesis, .openBrace, .openBracket:
      "to put one pattern in another, write braces: timeout(1s) { serial job }"
    default: nil
    }
  }

  /// The text of a token, shortened if it is long.
  func shown(_ token: Token) -> String {
    let text = source.text(token.range)
    return text.count > 40 ? text.prefix(39) + "…" : text
  }
}
