/// A declaration of Swift: its kind, its names and the words that it uses.
public struct SwiftDeclaration: Hashable, Sendable {
  public let piece: SwiftPiece
  /// The word that says what is declared: `actor`, `func`, `let`, `import` …
  public let kind: String
  /// The names that it declares, or the module that it imports. An extension has none.
  public let names: [String]
  /// All words in it. A word that is the name of another declaration is taken for a use of it.
  public let words: Set<String>

  /// The declared type or function, as a person would call it: `actor Cache`.
  public var title: String {
    kind == "extension" ? header : ([kind] + names).joined(separator: " ")
  }

  /// What stands before the body of a type, without line ends.
  private var header: String {
    piece.code.prefix { $0 != "{" }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether it declares the same as an earlier declaration, and so replaces it.
  public func replaces(_ earlier: SwiftDeclaration) -> Bool {
    guard (kind == "import") == (earlier.kind == "import") else { return false }
    if kind == "extension" || earlier.kind == "extension" {
      return kind == earlier.kind && header == earlier.header
    }
    return !Set(names).isDisjoint(with: earlier.names)
  }

  /// - Parameter piece: a complete declaration.
  public init(_ piece: SwiftPiece) {
    var tokens = SwiftTokens.of(Array(piece.code.utf8))[...]
    self.piece = piece
    words = Set(
      tokens.compactMap { if case .word(let word) = $0 { word } else { nil } })
    var kind = ""
    var depth = 0
    search: while let token = tokens.popFirst() {
      switch token {
      case .sign(let sign) where "([{".utf8.contains(sign): depth += 1
      case .sign(let sign) where ")]}".utf8.contains(sign): depth -= 1
      case .sign(UInt8(ascii: "@")): tokens = tokens.dropFirst()
      case .word(let word) where depth == 0 && Self.kinds.contains(word):
        kind = word
        // `class func` declares a function.
        if word == "class", case .word(let next)? = tokens.first, Self.kinds.contains(next) {
          continue
        }
        break search
      default: break
      }
    }
    self.kind = kind
    names = Self.names(of: kind, in: tokens)
  }

  private static func names(of kind: String, in tokens: ArraySlice<SwiftTokens.Token>) -> [String] {
    switch kind {
    case "extension": return []
    case "let", "var": return variables(tokens)
    case "import":
      let path = tokens.prefix { $0 != .sign(UInt8(ascii: ";")) }.compactMap { token in
        if case .word(let word) = token { word } else { nil }
      }
      return [path.joined(separator: ".")]
    case "func", "operator":
      if case .sign? = tokens.first {
        // The name of an operator has several signs.
        let signs = tokens.prefix {
          if case .sign(let sign) = $0 { sign != UInt8(ascii: "(") } else { false }
        }
        return [
          String(
            decoding: signs.compactMap { if case .sign(let sign) = $0 { sign } else { nil } },
            as: UTF8.self)
        ]
      }
      fallthrough
    default:
      guard case .word(let name)? = tokens.first else { return [] }
      return [name]
    }
  }

  /// The names of `let a = 1, b = 2` and `let (a, b) = …`.
  private static func variables(_ tokens: ArraySlice<SwiftTokens.Token>) -> [String] {
    var names: [String] = []
    var depth = 0
    var isName = true
    /// How many lists of generic arguments are open.
    var openLists = 0
    var last: SwiftTokens.Token?
    for token in tokens {
      defer { last = token }
      switch token {
      case .sign(UInt8(ascii: "<")) where last?.isTypeName == true:
        openLists += 1
        depth += 1
      case .sign(UInt8(ascii: ">")) where openLists > 0:
        openLists -= 1
        depth -= 1
      case .word(let word) where isName:
        names.append(word)
        isName = false
      case .sign(UInt8(ascii: "(")) where names.isEmpty: break
      case .sign(let sign) where "([{".utf8.contains(sign): depth += 1
      case .sign(let sign) where ")]}".utf8.contains(sign): depth = max(0, depth - 1)
      case .sign(UInt8(ascii: ",")) where depth == 0: isName = true
      default: break
      }
    }
    return names
  }

  /// Whether a word can start a declaration.
  public static func canStart(with word: String) -> Bool {
    kinds.contains(word) || modifiers.contains(word)
  }

  /// The words that say what is declared.
  public static let kinds: Set<String> = [
    "actor", "class", "enum", "extension", "func", "import", "let", "operator", "precedencegroup",
    "protocol", "struct", "typealias", "var",
  ]

  /// The kinds whose declaration ends with a body in braces.
  static let kindsWithBody: Set<String> = [
    "actor", "class", "enum", "extension", "func", "precedencegroup", "protocol", "struct",
  ]

  private static let modifiers: Set<String> = [
    "distributed", "fileprivate", "final", "indirect", "infix", "internal", "nonisolated", "open",
    "package", "postfix", "prefix", "private", "public", "unowned", "weak",
  ]
}

extension SwiftDeclaration {
  /// The names of the functions and variables inside it.
  public var memberNames: [String] {
    let tokens = SwiftTokens.of(Array(piece.code.utf8))
    return zip(tokens, tokens.dropFirst()).compactMap { word, name in
      guard case .word(let word) = word, ["func", "var", "let"].contains(word),
        case .word(let name) = name
      else { return nil }
      return name
    }
  }
}

extension SwiftTokens.Token {
  /// Whether it looks like the name of a type, which generic arguments can follow.
  fileprivate var isTypeName: Bool {
    if case .word(let word) = self { word.first?.isUppercase == true } else { false }
  }
}
