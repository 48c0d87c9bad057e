/// Splits a source into tokens, one at a time.
///
/// The parser requests each token, because paths are split differently from expressions: see ``nextWord()``.
struct Lexer: Sendable {
  let bytes: [UInt8]
  private(set) var position = 0
  /// The reason why the last token is invalid.
  private(set) var problem: LexicalProblem?

  init(_ source: Source) {
    bytes = source.bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Moves to the end, so that nothing more is read.
  mutating func stop() { position = bytes.count }

  /// Moves to an offset after the current one.
  mutating func move(to offset: Int) { position = offset }

  /// The next byte that is neither blank nor in a comment, and the byte after it; 0 at the end. Consumes nothing.
  func lookahead() -> (UInt8, UInt8) {
    var copy = self
    copy.skipBlanks()
    return (copy.byte(copy.position), copy.byte(copy.position + 1))
  }

  /// Reads the next token.
  mutating func next() -> Token {
    skipBlanks()
    let start = position
    guard position < bytes.count else { return token(.end, from: start) }
    let first = bytes[position]
    switch first {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
      return name(from: start)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return number(from: start)
    case UInt8(ascii: "-") where isDigit(byte(position + 1)): return number(from: start)
    case UInt8(ascii: "\""): return string(from: start)
    case UInt8(ascii: "\n"): return single(.newline)
    case UInt8(ascii: ";"): return single(.semicolon)
    case UInt8(ascii: "{"): return single(.openBrace)
    case UInt8(ascii: "}"): return single(.closeBrace)
    case UInt8(ascii: "["): return single(.openBracket)
    case UInt8(ascii: "]"): return single(.closeBracket)
    case UInt8(ascii: "("): return single(.openParenthesis)
    case UInt8(ascii: ")"): return single(.closeParenthesis)
    case UInt8(ascii: ":"): return single(.colon)
    case UInt8(ascii: ","): return single(.comma)
    case UInt8(ascii: "*"): return single(.star)
    case UInt8(ascii: "&"): return single(.ampersand)
    case UInt8(ascii: "/"): return single(.slash)
    case UInt8(ascii: "="): return withEqualSign(.equal, otherwise: .assign)
    case UInt8(ascii: "<"): return withEqualSign(.lessOrEqual, otherwise: .less)
    case UInt8(ascii: ">"): return withEqualSign(.greaterOrEqual, otherwise: .greater)
    case UInt8(ascii: "!") where byte(position + 1) == UInt8(ascii: "="):
      return withEqualSign(.notEqual, otherwise: .invalid)
    default:
      if first >= 0x80, scalar(at: position).value.properties.isAlphabetic {
        return name(from: start)
      }
      return unexpectedCharacter()
    }
  }

  /// Reads the next word of a command that takes paths. The word ends at a blank, a `;` or the end of the line.
  mutating func nextWord() -> Token {
    skipBlanks()
    let start = position
    switch byte(position) {
    case UInt8(ascii: "\n"), UInt8(ascii: ";"), UInt8(ascii: "\""): return next()
    default: break
    }
    guard position < bytes.count else { return token(.end, from: start) }
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\n"), UInt8(ascii: ";"), UInt8(ascii: " "), UInt8(ascii: "\t"),
        UInt8(ascii: "\r"):
        return token(.word, from: start)
      default: position += 1
      }
    }
    return token(.word, from: start)
  }

  /// Reads the rest of the line as one word, for a shell command.
  mutating func nextLine() -> Token {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    return token(.word, from: start)
  }

  // MARK: - Kinds of tokens

  private mutating func name(from start: Int) -> Token {
    while position < bytes.count {
      let byte = bytes[position]
      if isASCIILetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: "-")
      {
        position += 1
      } else if byte == UInt8(ascii: "."), continuesName(at: position + 1) {
        position += 1
      } else if byte >= 0x80, continuesName(at: position) {
        position += scalar(at: position).length
      } else {
        break
      }
    }
    let keyword = Keyword(packed: bytes[start..<position])
    return Token(
      kind: keyword == nil ? .name : .keyword, keyword: keyword,
      range: SourceRange(start, position))
  }

  /// Reads a number and all characters that follow it directly. The parser decides what they mean, for example a
  /// duration such as `20ms` or a size such as `320x200`. If they mean nothing, the complete text is the error.
  private mutating func number(from start: Int) -> Token {
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      let isExponentSign =
        (byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+"))
        && bytes[position - 1] | 0x20 == UInt8(ascii: "e") && isDigit(self.byte(position + 1))
      if isASCIILetter(byte) || isDigit(byte) || byte == UInt8(ascii: ".")
        || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "_") || isExponentSign
      {
        position += 1
      } else if byte >= 0x80, continuesName(at: position) {
        position += scalar(at: position).length
      } else {
        break
      }
    }
    return token(.number, from: start)
  }

  private mutating func string(from start: Int) -> Token {
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return token(.string, from: start)
      case UInt8(ascii: "\\") where position + 1 < bytes.count && byte(position + 1) != 0x0A:
        position += 2
      default: position += 1
      }
    }
    if bytes[position - 1] == UInt8(ascii: "\r") { position -= 1 }
    problem = LexicalProblem(
      message: "this string is not closed", range: SourceRange(start, position),
      hint: "a string ends with \" on the same line; \\n is a new line")
    return token(.invalid, from: start)
  }

  private mutating func unexpectedCharacter() -> Token {
    let start = position
    let (found, length) = scalar(at: position)
    position += length
    let shown =
      found.value < 0x20 || found.value == 0x7F || found.properties.isWhitespace
      || found.properties.generalCategory == .format
    let code = String(found.value, radix: 16, uppercase: true)
    let name =
      shown
      ? "the character U+\(String(repeating: "0", count: max(0, 4 - code.count)))\(code)"
      : "“\(found)”"
    var hint: String?
    switch found {
    case "“", "”", "„", "«", "»", "'", "‘", "’":
      hint = "write strings between straight quotes: \"…\""
    case "|": hint = "values flow from step to step in a sequence: promise { …; … }"
    case "!": hint = "“!=” compares"
    case _ where found.properties.isWhitespace: hint = "use an ordinary space instead"
    case _ where found.value > 0xA0 && found.properties.generalCategory != .format:
      hint = "a label that contains it needs quotes: \"\(found)\": …"
    default: break
    }
    problem = LexicalProblem(
      message: "\(name) means nothing here", range: SourceRange(start, position), hint: hint)
    return token(.invalid, from: start)
  }

  private mutating func single(_ kind: Token.Kind) -> Token {
    position += 1
    return token(kind, from: position - 1)
  }

  private mutating func withEqualSign(_ kind: Token.Kind, otherwise: Token.Kind) -> Token {
    let start = position
    let isPair = byte(position + 1) == UInt8(ascii: "=")
    position += isPair ? 2 : 1
    return token(isPair ? kind : otherwise, from: start)
  }

  private func token(_ kind: Token.Kind, from start: Int) -> Token {
    Token(kind: kind, keyword: nil, range: SourceRange(start, position))
  }

  // MARK: - Characters

  private mutating func skipBlanks() {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), 0x0B, 0x0C: position += 1
      case UInt8(ascii: "#"):
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
      default: return
      }
    }
  }

  private func byte(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  private func continuesName(at offset: Int) -> Bool {
    let byte = byte(offset)
    if byte < 0x80 {
      return isASCIILetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_")
    }
    let properties = scalar(at: offset).value.properties
    if properties.isAlphabetic { return true }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber: return true
    default: return false
    }
  }

  private func scalar(at offset: Int) -> (value: Unicode.Scalar, length: Int) {
    var iterator = bytes[offset..<min(offset + 4, bytes.count)].makeIterator()
    var decoder = Unicode.UTF8()
    guard case .scalarValue(let value) = decoder.decode(&iterator) else { return ("\u{FFFD}", 1) }
    return (value, UTF8.width(value))
  }
}

private func isDigit(_ byte: UInt8) -> Bool {
  byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
}

private func isASCIILetter(_ byte: UInt8) -> Bool {
  let lower = byte | 0x20
  return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
}
