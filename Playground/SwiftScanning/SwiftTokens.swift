/// Reads the words, signs and string literals of a Swift source text, without comments, one at a time. It reads only as
/// much of the language as is needed to find declarations and the ends of blocks.
///
/// - Complexity: O(length of the text).
public struct SwiftTokens {
  public enum Token: Hashable, Sendable {
    case word(String)
    case sign(UInt8)
    case string(String)
  }

  private let bytes: [UInt8]
  private var position: Int
  private var last: Token?
  /// The offset at which the last search for a closing slash ended without finding one. No slash from the start of that
  /// search up to here starts a regular expression.
  private var searchedEnd = 0
  /// Whether the text ended inside a block comment or a multi-line string literal.
  public private(set) var isUnfinished = false

  /// All tokens of a text.
  public static func of(_ text: [UInt8]) -> [Token] {
    var scanner = SwiftTokens(text)
    var tokens: [Token] = []
    while let (token, _) = scanner.next() { tokens.append(token) }
    return tokens
  }

  /// The operators of a text. Signs that directly follow each other belong to one operator.
  static func operators(in text: [UInt8]) -> Set<String> {
    var scanner = SwiftTokens(text)
    var found: Set<String> = []
    var start: Int?
    var end = 0
    func add() {
      if let start { found.insert(String(decoding: text[start..<end], as: UTF8.self)) }
    }
    while let (token, range) = scanner.next() {
      guard case .sign(let sign) = token, isOperatorPart(sign) else { continue }
      if range.lowerBound != end || start == nil {
        add()
        start = range.lowerBound
      }
      end = range.upperBound
    }
    add()
    return found
  }

  /// Whether a sign can be part of an operator.
  static func isOperatorPart(_ sign: UInt8) -> Bool { "/=-+!*%<>&|^~?.".utf8.contains(sign) }

  /// Creates a reader that starts at an offset of a text.
  public init(_ bytes: [UInt8], from position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  private func peek(_ offset: Int = 0) -> UInt8 {
    position + offset < bytes.count ? bytes[position + offset] : 0
  }

  /// The next token and its range in the text. Nil at the end.
  public mutating func next() -> (token: Token, range: Range<Int>)? {
    while position < bytes.count {
      let start = position
      guard let token = token() else { continue }
      last = token
      return (token, start..<position)
    }
    return nil
  }

  /// Reads a token, or skips a blank or a comment.
  private mutating func token() -> Token? {
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipLine()
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipBlockComment()
    case UInt8(ascii: "/") where regularExpressionMayStart(): skipRegularExpression()
    case UInt8(ascii: "\""): return readString(hashes: 0)
    case UInt8(ascii: "#"): return readHashes()
    case UInt8(ascii: "`"): return readQuotedWord()
    case _ where Self.isWordPart(byte): return readWord()
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      position += 1
    default: return take(byte)
    }
    return nil
  }

  private mutating func take(_ sign: UInt8) -> Token {
    position += 1
    return .sign(sign)
  }

  /// Skips interpolated code, up to the parenthesis that closes it.
  private mutating func skipInterpolation() {
    let before = last
    last = nil
    var depth = 0
    while position < bytes.count {
      if peek() == UInt8(ascii: ")"), depth == 0 { break }
      guard let token = token() else { continue }
      last = token
      if token == .sign(UInt8(ascii: "(")) { depth += 1 }
      if token == .sign(UInt8(ascii: ")")) { depth -= 1 }
    }
    last = before
  }

  private mutating func skipLine() {
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
  }

  /// Skips a block comment. Block comments can nest.
  private mutating func skipBlockComment() {
    var depth = 0
    while position < bytes.count {
      if peek() == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else if peek() == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
        if depth == 0 { return }
      } else {
        position += 1
      }
    }
    isUnfinished = true
  }

  private static func isWordPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private mutating func readWord() -> Token {
    let start = position
    while position < bytes.count, Self.isWordPart(bytes[position]) { position += 1 }
    return .word(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  /// Reads a name in backticks. The token keeps the backticks, because generated code needs them too.
  private mutating func readQuotedWord() -> Token {
    let start = position
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "`") { position += 1 }
    position = min(position + 1, bytes.count)
    return .word(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  /// Reads `#"…"#` or `#/…/#`. Any other use, such as `#if`, becomes a sign and a word.
  private mutating func readHashes() -> Token? {
    var hashes = 0
    while peek(hashes) == UInt8(ascii: "#") { hashes += 1 }
    if peek(hashes) == UInt8(ascii: "\"") {
      position += hashes
      return readString(hashes: hashes)
    } else if peek(hashes) == UInt8(ascii: "/") {
      position += hashes + 1
      let end = [UInt8(ascii: "/")] + Array(repeating: UInt8(ascii: "#"), count: hashes)
      while position < bytes.count, !bytes[position...].starts(with: end) { position += 1 }
      position = min(position + end.count, bytes.count)
      return nil
    } else {
      // Skips all the `#` signs here, so that the rest of them is not counted again at each `#`.
      position += hashes
      return .sign(UInt8(ascii: "#"))
    }
  }

  /// Reads a string literal whose opening quote is next. Interpolated code is skipped.
  private mutating func readString(hashes: Int) -> Token {
    let quote = UInt8(ascii: "\"")
    let isLong = peek(1) == quote && peek(2) == quote
    let end =
      Array(repeating: quote, count: isLong ? 3 : 1)
      + Array(repeating: UInt8(ascii: "#"), count: hashes)
    let escape = [UInt8(ascii: "\\")] + Array(repeating: UInt8(ascii: "#"), count: hashes)
    position += isLong ? 3 : 1
    var text: [UInt8] = []
    var isClosed = !isLong
    while position < bytes.count {
      let byte = bytes[position]
      if byte == quote, bytes[position...].starts(with: end) {
        position += end.count
        isClosed = true
        break
      }
      if byte == UInt8(ascii: "\n"), !isLong { break }
      if byte == UInt8(ascii: "\\"), bytes[position...].starts(with: escape) {
        position += escape.count
        if peek() == UInt8(ascii: "(") {
          position += 1
          skipInterpolation()
        }
        position = min(position + 1, bytes.count)
        continue
      }
      text.append(byte)
      position += 1
    }
    if !isClosed { isUnfinished = true }
    return .string(String(decoding: text, as: UTF8.self))
  }

  /// Whether the slash starts a regular expression: no operand comes before it, and its end is on the same line.
  private mutating func regularExpressionMayStart() -> Bool {
    switch last {
    case .word(let word):
      guard ["return", "in", "case", "try", "await"].contains(word) else { return false }
    case .string: return false
    case .sign(let sign): guard !")]}".utf8.contains(sign) else { return false }
    case nil: break
    }
    guard peek(1) != UInt8(ascii: " "), peek(1) != 0 else { return false }
    return endOfRegularExpression() != nil
  }

  private mutating func endOfRegularExpression() -> Int? {
    // The last search has already passed this offset without success.
    guard position >= searchedEnd else { return nil }
    var end = position + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
      if bytes[end] == UInt8(ascii: "\\") {
        end += 2
        continue
      }
      if bytes[end] == UInt8(ascii: "/") { return end }
      end += 1
    }
    searchedEnd = end
    return nil
  }

  private mutating func skipRegularExpression() {
    position = (endOfRegularExpression() ?? position) + 1
  }
}
