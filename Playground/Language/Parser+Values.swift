extension Parser {
  /// Consumes the current token, which must be a name.
  mutating func consumeName() -> NameSyntax {
    let name = NameSyntax(text: source.text(token.range), range: token.range)
    advance()
    return name
  }

  /// Parses a name. For a reserved word, the error says so.
  mutating func name(_ what: String) throws(SyntaxFailure) -> NameSyntax {
    switch token.kind {
    case .name: return consumeName()
    case .keyword: throw reservedName()
    default: throw unexpected(what)
    }
  }

  /// Parses a label: a name or a string.
  mutating func label(_ what: String = "a label") throws(SyntaxFailure) -> LabelSyntax {
    if token.kind == .string {
      let range = token.range
      return LabelSyntax(text: try string(), isQuoted: true, range: range)
    }
    let name = try name(what)
    return LabelSyntax(text: name.text, isQuoted: false, range: name.range)
  }

  /// Parses a string and returns its text.
  mutating func string(_ what: String = "a string") throws(SyntaxFailure) -> String {
    guard token.kind == .string else { throw unexpected(what) }
    do {
      let text = try Literal.Value.unescaped(
        source.bytes[token.range.start..<token.range.end], at: token.range.start)
      advance()
      return text
    } catch {
      throw fail(error)
    }
  }

  /// Whether a literal starts here.
  var beginsLiteral: Bool {
    switch token.kind {
    case .number, .string, .openParenthesis: true
    default: token.is(.true) || token.is(.false)
    }
  }

  /// Parses a literal.
  mutating func literal() throws(SyntaxFailure) -> Literal {
    let range = token.range
    switch token.kind {
    case .number: return Literal(try number(), range: range)
    case .string: return Literal(.string(try string()), range: range)
    case .openParenthesis: return try curve()
    default:
      guard token.is(.true) || token.is(.false) else { throw unexpected("a value") }
      let value = token.is(.true)
      advance()
      return Literal(.boolean(value), range: range)
    }
  }

  private mutating func number() throws(SyntaxFailure) -> Literal.Value {
    do {
      let value = try Literal.Value.numeric(
        source.bytes[token.range.start..<token.range.end], range: token.range)
      advance()
      return value
    } catch {
      throw fail(error)
    }
  }

  private mutating func curve() throws(SyntaxFailure) -> Literal {
    let opener = token.range
    advance()
    var numbers: [Double] = []
    skipNewlines()
    while token.kind != .closeParenthesis {
      if token.kind == .end { throw unclosed(opener) }
      guard token.kind == .number else { throw unexpected("one of a curve’s four numbers") }
      let range = token.range
      switch try number() {
      case .integer(let value): numbers.append(Double(value))
      case .real(let value): numbers.append(value)
      default: throw fail("a curve’s numbers have no units", at: range)
      }
      skipNewlines()
      if token.kind == .closeParenthesis { break }
      if token.kind == .end { throw unclosed(opener) }
      guard consumeComma() else { throw unexpected("“,” or “)”") }
    }
    advance()
    let range = SourceRange(opener.start, consumedEnd)
    guard numbers.count == 4 else {
      throw fail(
        "a curve is four numbers, not \(numbers.count)", at: range,
        hint: "for instance (0.25, 0.1, 0.25, 1)")
    }
    return Literal(
      .curve(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3]), range: range)
  }

  /// Parses a literal or a bare word, which may be a reserved word.
  mutating func value(_ what: String = "a value") throws(SyntaxFailure) -> ValueSyntax {
    if beginsLiteral { return .literal(try literal()) }
    if token.kind == .name || token.kind == .keyword { return .word(consumeName()) }
    throw unexpected(what)
  }

  /// Parses a whole number of at least `least`.
  mutating func count(_ what: String, atLeast least: Int) throws(SyntaxFailure) -> CountSyntax {
    guard token.kind == .number else { throw unexpected(what) }
    let range = token.range
    guard case .integer(let value) = try number(), value >= least else {
      throw fail(
        "expected \(what), found “\(source.text(range))”", at: range,
        hint: "it must be a whole number, at least \(least)")
    }
    return CountSyntax(value: value, range: range)
  }

  /// Parses arguments in parentheses. The current token is the opening parenthesis.
  mutating func arguments(of callee: NameSyntax) throws(SyntaxFailure) -> [ArgumentSyntax] {
    let opener = token.range
    advance()
    skipNewlines()
    var arguments: [ArgumentSyntax] = []
    while token.kind != .closeParenthesis {
      if token.kind == .end { throw unclosed(opener) }
      arguments.append(try argument(of: callee))
      skipNewlines()
      if token.kind == .closeParenthesis { break }
      if token.kind == .end { throw unclosed(opener) }
      guard consumeComma() else {
        throw unexpected("“,” or “)”", hint: detachedUnitHint(after: arguments.last))
      }
      if token.kind == .closeParenthesis { throw unexpected("an argument") }
    }
    advance()
    return arguments
  }

  /// How to write a number and its unit, if the current token is a unit that is separated from its number.
  private func detachedUnitHint(after argument: ArgumentSyntax?) -> String? {
    guard case .literal(let number)? = argument?.value else { return nil }
    return detachedUnit(after: number).map { "a duration has no space in it: \($0.duration)" }
  }

  /// The current token and the number before it, if a space separates the unit of a duration from its number.
  func detachedUnit(after number: Literal) -> DetachedUnit? {
    DetachedUnit(source.text(token.range), at: token.range, after: number, in: source)
  }

  private mutating func argument(
    of callee: NameSyntax
  ) throws(SyntaxFailure) -> ArgumentSyntax {
    if token.kind == .keyword, lexer.lookahead().0 == UInt8(ascii: ":") { throw reservedName() }
    if beginsLiteral {
      let literal = try literal()
      return ArgumentSyntax(name: nil, value: .literal(literal), range: literal.range)
    }
    guard token.kind == .name || token.kind == .keyword else { throw unexpected("an argument") }
    let word = consumeName()
    skipNewlines()
    guard token.kind == .colon else {
      throw fail(
        "“\(word.text)” is neither a value nor a named argument", at: word.range,
        hint: "steps go in braces: \(callee.text) { \(word.text); … }; "
          + "an argument that is a word has a name: name: \(word.text)")
    }
    advance()
    skipNewlines()
    let value = try value()
    return ArgumentSyntax(name: word, value: value, range: word.range.joined(with: value.range))
  }
}
