/// A token: what it is and where.
struct Token: Sendable {
  enum Kind: UInt8, Sendable {
    case name, keyword, number, string
    /// A raw word: a path, a topic, an option of `trace`.
    case word
    case openBrace, closeBrace, openBracket, closeBracket, openParenthesis, closeParenthesis
    case colon, comma, star, ampersand, slash, assign
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case semicolon, newline, end
    /// Something that is no token; the lexer's `problem` says why.
    case invalid
  }

  var kind: Kind
  var keyword: Keyword?
  var range: SourceRange

  func `is`(_ keyword: Keyword) -> Bool { self.keyword == keyword }

  /// What closes the bracket that this token opens.
  var closer: Kind? {
    switch kind {
    case .openBrace: .closeBrace
    case .openBracket: .closeBracket
    case .openParenthesis: .closeParenthesis
    default: nil
    }
  }

  var isSeparator: Bool { kind == .semicolon || kind == .newline }
}

/// Why a piece of text is no token.
struct LexicalProblem: Error {
  var message: String
  var range: SourceRange
  var hint: String?
}
