/// The words, signs and string literals of a Swift source text, without comments. It reads only as much of the language
/// as is needed to find declarations. Linear in the length of the text.
struct SwiftTokens {
  enum Token: Hashable {
    case word(String)
    case sign(UInt8)
    case string(String)
  }

  private let bytes: [UInt8]
  private var position = 0
  private(set) var tokens: [Token] = []

  static func of(_ text: [UInt8]) -> [Token] {
    var scanner = SwiftTokens(bytes: text)
    scanner.scan(untilParenthesis: false)
    return scanner.tokens
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func peek(_ offset: Int = 0) -> UInt8 {
    position + offset < bytes.count ? bytes[position + offset] : 0
  }

  /// Reads tokens up to the end of the text, or up to the parenthesis that closes an interpolation.
  private mutating func scan(untilParenthesis: Bool) {
    var depth = 0
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipLine()
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipBlockComment()
      case UInt8(ascii: "/") where regularExpressionMayStart: skipRegularExpression()
      case UInt8(ascii: "\""): readString(hashes: 0)
      case UInt8(ascii: "#"): readHashes()
      case UInt8(ascii: "`"): readQuotedWord()
      case _ where Self.isWordPart(byte): readWord()
      case UInt8(ascii: "("):
        depth += 1
        take(byte)
      case UInt8(ascii: ")"):
        if untilParenthesis, depth == 0 { return }
        depth -= 1
        take(byte)
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        position += 1
      default: take(byte)
      }
    }
  }

  private mutating func take(_ sign: UInt8) {
    tokens.append(.sign(sign))
    position += 1
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
  }

  private static func isWordPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private mutating func readWord() {
    let start = position
    while position < bytes.count, Self.isWordPart(bytes[position]) { position += 1 }
    tokens.append(.word(String(decoding: bytes[start..<position], as: UTF8.self)))
  }

  /// Reads a name in backticks. The token keeps the backticks, because generated code needs them too.
  private mutating func readQuotedWord() {
    let start = position
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "`") { position += 1 }
    position = min(position + 1, bytes.count)
    tokens.append(.word(String(decoding: bytes[start..<position], as: UTF8.self)))
  }

  /// Reads `#"…"#` or `#/…/#`. Any other use, such as `#if`, becomes a sign and a word.
  private mutating func readHashes() {
    var hashes = 0
    while peek(hashes) == UInt8(ascii: "#") { hashes += 1 }
    if peek(hashes) == UInt8(ascii: "\"") {
      position += hashes
      readString(hashes: hashes)
    } else if peek(hashes) == UInt8(ascii: "/") {
      position += hashes + 1
      let end = [UInt8(ascii: "/")] + Array(repeating: UInt8(ascii: "#"), count: hashes)
      while position < bytes.count, !bytes[position...].starts(with: end) { position += 1 }
      position = min(position + end.count, bytes.count)
    } else {
      take(UInt8(ascii: "#"))
    }
  }

  /// Reads a string literal whose opening quote is next. Interpolated code is skipped.
  private mutating func readString(hashes: Int) {
    let quote = UInt8(ascii: "\"")
    let isLong = peek(1) == quote && peek(2) == quote
    let end =
      Array(repeating: quote, count: isLong ? 3 : 1)
      + Array(repeating: UInt8(ascii: "#"), count: hashes)
    let escape = [UInt8(ascii: "\\")] + Array(repeating: UInt8(ascii: "#"), count: hashes)
    position += isLong ? 3 : 1
    var text: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      if byte == quote, bytes[position...].starts(with: end) {
        position += end.count
        break
      }
      if byte == UInt8(ascii: "\n"), !isLong { break }
      if byte == UInt8(ascii: "\\"), bytes[position...].starts(with: escape) {
        position += escape.count
        if peek() == UInt8(ascii: "(") {
          position += 1
          let kept = tokens.count
          scan(untilParenthesis: true)
          tokens.removeLast(tokens.count - kept)
        }
        position = min(position + 1, bytes.count)
        continue
      }
      text.append(byte)
      position += 1
    }
    tokens.append(.string(String(decoding: text, as: UTF8.self)))
  }

  /// Whether the slash starts a regular expression: no operand comes before it, and its end is on the same line.
  private var regularExpressionMayStart: Bool {
    switch tokens.last {
    case .word(let word):
      guard ["return", "in", "case", "try", "await"].contains(word) else { return false }
    case .string: return false
    case .sign(let sign): guard !")]}".utf8.contains(sign) else { return false }
    case nil: break
    }
    guard peek(1) != UInt8(ascii: " "), peek(1) != 0 else { return false }
    return endOfRegularExpression != nil
  }

  private var endOfRegularExpression: Int? {
    var end = position + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
      if bytes[end] == UInt8(ascii: "\\") {
        end += 2
        continue
      }
      if bytes[end] == UInt8(ascii: "/") { return end }
      end += 1
    }
    return nil
  }

  private mutating func skipRegularExpression() {
    position = (endOfRegularExpression ?? position) + 1
  }
}
