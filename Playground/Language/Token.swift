/// A token: its kind and its range.
struct Token: Sendable {
  enum Kind: UInt8, Sendable {
    case name, keyword, number, string
    /// An unquoted word: a path, a topic, an option of `trace`.
    case word
    case openBrace, closeBrace, openBracket, closeBracket, openParenthesis, closeParenthesis
    case colon, comma, star, ampersand, slash, assign
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case semicolon, newline, end
    /// Text that is not a token. The lexer's `problem` gives the reason.
    case invalid
  }

  var kind: Kind
  var keyword: Keyword?
  var range: SourceRange

  func `is`(_ keyword: Keyword) -> Bool { self.keyword == keyword }

  /// The bracket that closes the one that this token opens.
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

/// The reason why a piece of text is not a token.
struct LexicalProblem: Error {
  var message: String
  var range: SourceRange
  var hint: String?
}
