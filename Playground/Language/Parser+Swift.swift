public import SwiftScanning

extension Parser {
  /// The word before Swift code: the name of a step, or the first word of a statement.
  public static let swift = "swift"

  /// Whether the current token is the first of a declaration of Swift.
  var startsDeclaration: Bool {
    if isMark("@") { return true }
    guard token.kind == .name || token.kind == .keyword else { return false }
    return SwiftDeclaration.canStart(with: source.text(token.range))
  }

  /// Parses Swift in braces. The current token is the opening brace.
  mutating func swiftBlock() throws(SyntaxFailure) -> SwiftSyntax {
    let opener = token.range
    guard let end = SwiftExtent.endOfBlock(in: source.bytes, at: opener.start) else {
      stop()
      throw unclosed(opener)
    }
    move(to: end)
    return SwiftSyntax(range: SourceRange(opener.end, end - 1))
  }

  /// Parses a declaration of Swift. The current token is its first.
  ///
  /// - Parameter word: the word `swift`.
  mutating func declaration(from word: SourceRange) throws(SyntaxFailure) -> Statement {
    let start = token.range
    guard let end = SwiftExtent.endOfDeclaration(in: source.bytes, from: start.start) else {
      stop()
      add(
        Diagnostic(
          "this declaration is not complete", at: start, in: source,
          hint: "a function or a type ends with the “}” of its body", isUnfinished: true))
      throw SyntaxFailure()
    }
    move(to: end)
    return Statement(
      kind: .declaration(SwiftSyntax(range: SourceRange(start.start, end))),
      range: SourceRange(word.start, end))
  }

  /// Reads the next token at an offset.
  private mutating func move(to end: Int) {
    lexer.move(to: end)
    advance()
    consumedEnd = end
  }

  /// Reads nothing more, since the rest of the text is Swift code.
  private mutating func stop() {
    lexer.stop()
    advance()
  }
}

extension SwiftPiece {
  /// The code of some syntax, with its place in the source.
  public init(_ syntax: SwiftSyntax, in source: Source) {
    let line = source.lineIndex(at: syntax.range.start)
    self.init(
      file: source.name, line: line + 1,
      column: syntax.range.start - source.lineStarts[line] + 1, code: source.text(syntax.range))
  }
}

extension Source {
  /// The place in the source to which a compiler's message about pieces of its code refers.
  ///
  /// The compiler sees an additional line after each piece. A place at the start of that line means the end of the
  /// piece.
  ///
  /// - Parameters:
  ///   - line: from 1.
  ///   - column: in bytes, from 1.
  public func place(line: Int, column: Int, of code: [SwiftSyntax]) -> SourceRange {
    let place = place(line: line, column: column)
    let isInCode = code.contains { $0.range.start <= place.start && place.start < $0.range.end }
    guard column == 1, !isInCode,
      let piece = code.last(where: { lineIndex(at: $0.range.end) == line - 2 })
    else { return place }
    return SourceRange(piece.range.end, min(piece.range.end + 1, bytes.count))
  }

  private func place(line: Int, column: Int) -> SourceRange {
    guard lineStarts.indices.contains(line - 1) else { return end }
    let range = lineRange(line - 1)
    let start = min(range.start + max(0, column - 1), range.end)
    let isWord: (UInt8) -> Bool = { byte in
      byte >= 0x80 || byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
    return SourceRange(start, start + bytes[start..<range.end].prefix(while: isWord).count)
  }
}
