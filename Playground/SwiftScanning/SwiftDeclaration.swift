/// A Swift declaration: its kind, its names and the words that it uses.
public struct SwiftDeclaration: Hashable, Sendable {
  public let piece: SwiftPiece
  /// The word that says what is declared: `actor`, `func`, `let`, `import` …
  public let kind: String
  /// The names that it declares, or the module that it imports. An extension has none.
  public let names: [String]
  /// All words and operators in it. One that is the name of another declaration counts as a use of that declaration.
  public let words: Set<String>
  /// The words before the kind that change the meaning of the declaration. `private(set)` is not one of them, since it
  /// changes only the setter.
  public let modifiers: Set<String>

  /// The declared type or function, as a person would call it: `actor Cache`.
  public var title: String {
    if kind == "extension" { return header }
    return ([kind] + (importedKind.map { [$0] } ?? []) + names).joined(separator: " ")
  }

  /// The kind of the single declaration that it imports, as in `import func Foundation.sqrt`.
  private let importedKind: String?

  /// The text before the body of a type, on one line.
  private var header: String {
    piece.code.prefix { $0 != "{" }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether it declares the same thing as an earlier declaration, and so replaces it.
  public func replaces(_ earlier: SwiftDeclaration) -> Bool {
    for separate in ["import", "operator"] {
      guard (kind == separate) == (earlier.kind == separate) else { return false }
    }
    if kind == "extension" || earlier.kind == "extension" {
      guard kind == earlier.kind, header == earlier.header else { return false }
      // A type conforms to a protocol only once.
      return conforms || !Set(memberNames).isDisjoint(with: earlier.memberNames)
    }
    return fixity == earlier.fixity && importedKind == earlier.importedKind
      && !Set(names).isDisjoint(with: earlier.names)
  }

  /// Whether it makes a type conform to a protocol. A colon in a `where` clause does not.
  private var conforms: Bool {
    header.split(separator: " ").prefix { $0 != "where" }.contains { $0.contains(":") }
  }

  /// Whether its name is an operator.
  public var isOperator: Bool {
    names.first?.utf8.first.map(SwiftTokens.isOperatorPart) ?? false
  }

  /// The kind of operator that it declares or implements: `prefix`, `infix` or `postfix`. Empty if none is written.
  private var fixity: Set<String> { modifiers.intersection(["prefix", "infix", "postfix"]) }

  /// - Parameter piece: a complete declaration.
  public init(_ piece: SwiftPiece) {
    let bytes = Array(piece.code.utf8)
    var tokens = SwiftTokens.of(bytes)[...]
    self.piece = piece
    words = Set(
      tokens.compactMap { if case .word(let word) = $0 { word } else { nil } }
    ).union(SwiftTokens.operators(in: bytes))
    var modifiers: Set<String> = []
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
      case .word(let word) where depth == 0 && Self.modifiers.contains(word):
        if tokens.first != .sign(UInt8(ascii: "(")) { modifiers.insert(word) }
      default: break
      }
    }
    if kind == "import", case .word(let word)? = tokens.first, Self.kinds.contains(word) {
      importedKind = word
      tokens.removeFirst()
    } else {
      importedKind = nil
    }
    self.kind = kind
    self.modifiers = modifiers
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
        // The name of an operator can have several signs.
        let signs = tokens.prefix {
          if case .sign(let sign) = $0 { SwiftTokens.isOperatorPart(sign) } else { false }
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
  /// The names of its members, such as functions, variables and types. `init` and `subscript` are names too.
  public var memberNames: [String] {
    var tokens = SwiftTokens.of(Array(piece.code.utf8))[...]
    var names: [String] = []
    var depth = 0
    while let token = tokens.popFirst() {
      switch token {
      case .sign(let sign) where "([{".utf8.contains(sign): depth += 1
      case .sign(let sign) where ")]}".utf8.contains(sign): depth -= 1
      case .word(let word) where depth == 1 && ["init", "subscript"].contains(word):
        names.append(word)
      case .word(let word) where depth == 1 && Self.kinds.contains(word):
        if let name = Self.names(of: word, in: tokens).first, !Self.kinds.contains(name) {
          names.append(name)
        }
      default: break
      }
    }
    return names
  }
}

extension SwiftTokens.Token {
  /// Whether it looks like the name of a type, which generic arguments can follow.
  fileprivate var isTypeName: Bool {
    if case .word(let word) = self { word.first?.isUppercase == true } else { false }
  }
}
