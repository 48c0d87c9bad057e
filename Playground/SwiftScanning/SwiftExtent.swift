/// Finds the ends of Swift code that is written inside another text. Strings, comments and regular expressions are
/// understood, so a bracket in them ends nothing.
public enum SwiftExtent {
  /// The offset after the brace that closes the one at `start`. Nil if the text ends before that brace.
  ///
  /// - Complexity: O(length of the block).
  public static func endOfBlock(in bytes: [UInt8], at start: Int) -> Int? {
    var tokens = SwiftTokens(bytes, from: start)
    var depth = 0
    while let (token, range) = tokens.next() {
      switch token {
      case .sign(UInt8(ascii: "{")): depth += 1
      case .sign(UInt8(ascii: "}")):
        depth -= 1
        if depth == 0 { return range.upperBound }
      default: break
      }
    }
    return nil
  }

  /// The offset after the declaration that starts at `start`, and after the line comment that follows it, if any. Nil
  /// if the text ends inside the declaration.
  ///
  /// A function or a type ends with its body. Any other declaration ends with its line, or with “;”.
  ///
  /// - Complexity: O(length of the declaration).
  public static func endOfDeclaration(in bytes: [UInt8], from start: Int) -> Int? {
    var tokens = SwiftTokens(bytes, from: start)
    var reader = Reader(end: start)
    while let (token, range) = tokens.next() {
      let isOnNewLine = bytes[reader.end..<range.lowerBound].contains(UInt8(ascii: "\n"))
      if reader.isEnded(before: token, isOnNewLine: isOnNewLine) {
        return endOfLineComment(in: bytes, after: reader.end)
      }
      reader.read(token, to: range.upperBound)
      if reader.hasBody { return endOfLineComment(in: bytes, after: reader.end) }
    }
    return reader.canEnd && !tokens.isUnfinished
      ? endOfLineComment(in: bytes, after: reader.end) : nil
  }

  /// What has been read of a declaration.
  private struct Reader {
    /// The offset after the last token.
    var end: Int
    private var last: SwiftTokens.Token?
    private var depth = 0
    private var kind: String?
    /// Whether the body of a function or a type is complete.
    private(set) var hasBody = false

    init(end: Int) { self.end = end }

    private var needsBody: Bool { kind.map(SwiftDeclaration.kindsWithBody.contains) ?? false }

    /// Whether the declaration is complete if the text ends here.
    var canEnd: Bool { depth == 0 && kind != nil && !needsBody && !continues }

    /// Whether the last token needs another one after it.
    private var continues: Bool {
      guard case .sign(let sign)? = last, kind != "operator" else { return false }
      return "=,:+-*/%&|^(".utf8.contains(sign)
    }

    func isEnded(before token: SwiftTokens.Token, isOnNewLine: Bool) -> Bool {
      guard depth == 0 else { return false }
      switch token {
      case .sign(let sign) where ")]}".utf8.contains(sign): return true
      case .sign(UInt8(ascii: ";")): return true
      // The next line continues a chained call.
      case .sign(UInt8(ascii: ".")): return false
      default: return isOnNewLine && canEnd
      }
    }

    mutating func read(_ token: SwiftTokens.Token, to end: Int) {
      self.end = end
      switch token {
      case .sign(let sign) where "([{".utf8.contains(sign): depth += 1
      case .sign(let sign) where ")]}".utf8.contains(sign):
        depth -= 1
        if depth == 0, sign == UInt8(ascii: "}"), needsBody { hasBody = true }
      case .word(let word):
        if depth == 0, kind == nil, SwiftDeclaration.kinds.contains(word),
          last != .sign(UInt8(ascii: "@"))
        {
          kind = word
        } else if kind == "class", SwiftDeclaration.kinds.contains(word) {
          // `class` was a modifier.
          kind = word
        }
      default: break
      }
      last = token
    }
  }

  private static func endOfLineComment(in bytes: [UInt8], after end: Int) -> Int {
    let rest = bytes[end...]
    let blanks = rest.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    guard rest.dropFirst(blanks.count).starts(with: Array("//".utf8)) else { return end }
    return end + rest.prefix { $0 != UInt8(ascii: "\n") }.count
  }
}
