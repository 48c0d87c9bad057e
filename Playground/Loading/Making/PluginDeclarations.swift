import SwiftScanning

/// The plugins that source texts declare, and the entry points in the texts. A plugin is a type that conforms to
/// `Plugin`, directly or through a protocol declared in the same texts.
struct PluginDeclarations: Hashable {
  struct Conformer: Hashable {
    /// The name as other code writes it, `Outer.Inner`.
    var name: String
    var isHidden: Bool
    var isGeneric: Bool
  }

  /// In the order of their declarations.
  private(set) var conformers: [Conformer] = []
  /// The C symbols that begin with `async_pattern_plugin_`.
  private(set) var entryPoints: [String] = []

  init(in texts: [[UInt8]]) {
    var declarations: [Declaration] = []
    for text in texts {
      let tokens = SwiftTokens.of(text)
      entryPoints += Self.entryPoints(in: tokens)
      var reader = DeclarationReader(tokens)
      reader.read()
      declarations += reader.declarations
    }
    var plugins: Set<String> = ["Plugin"]
    var count = 0
    // A protocol may refine `Plugin` through other protocols, which may be declared in any order.
    while count != plugins.count {
      count = plugins.count
      for declaration in declarations
      where declaration.kind == "protocol" && !plugins.isDisjoint(with: declaration.inherited) {
        plugins.insert(declaration.name)
      }
    }
    let hidden = Set(declarations.filter(\.isHidden).map(\.name))
    let generic = Set(declarations.filter(\.isGeneric).map(\.name))
    for declaration in declarations
    where declaration.kind != "protocol" && !plugins.isDisjoint(with: declaration.inherited)
      && !conformers.contains(where: { $0.name == declaration.name })
    {
      conformers.append(
        Conformer(
          name: declaration.name, isHidden: hidden.contains(declaration.name),
          isGeneric: generic.contains(declaration.name)))
    }
  }

  /// Finds `@_cdecl("async_pattern_plugin_X")` and `@c(async_pattern_plugin_X)`.
  private static func entryPoints(in tokens: [SwiftTokens.Token]) -> [String] {
    var found: [String] = []
    for index in tokens.indices.dropFirst(3) {
      guard tokens[index - 3] == .sign(UInt8(ascii: "@")),
        case .word(let attribute) = tokens[index - 2],
        ["_cdecl", "cdecl", "c"].contains(attribute), tokens[index - 1] == .sign(UInt8(ascii: "("))
      else { continue }
      switch tokens[index] {
      case .string(let name), .word(let name):
        if name.hasPrefix(EntryPoint.prefix) { found.append(name) }
      case .sign: break
      }
    }
    return found
  }

  /// Whether the texts declare a plugin or an entry point.
  var isAny: Bool { !conformers.isEmpty || !entryPoints.isEmpty }

  /// The only plugin, which needs an entry point; nil if the texts already contain the entry point.
  ///
  /// - Parameter place: the description of the texts in an error.
  func single(in place: String) throws(PluginError) -> Conformer? {
    if entryPoints.count == 1 { return nil }
    if entryPoints.count > 1 {
      throw PluginError(
        .severalPlugins,
        "\(place) has several entry points, \(entryPoints.joined(separator: ", ")), but a plugin "
          + "has one. Split it.")
    }
    guard let first = conformers.first else {
      throw PluginError(
        .noPlugin,
        "\(place) declares no plugin and no step. Write “// step” above a function to make it a step. "
          + "Add a type that conforms to Plugin, with a name, a summary and its patterns; the loader "
          + "writes the rest.")
    }
    guard conformers.count == 1 else {
      throw PluginError(
        .severalPlugins,
        "\(place) declares several plugins, \(conformers.map(\.name).joined(separator: ", ")). Keep "
          + "one of them, or give each a file of its own.")
    }
    if first.isHidden {
      throw PluginError(
        .noPlugin,
        "The plugin \(first.name) in \(place) is private, so its entry point cannot see it. Make it "
          + "and the types around it internal or public.")
    }
    if first.isGeneric {
      throw PluginError(
        .noPlugin,
        "The plugin \(first.name) in \(place) is generic, but a plugin must be one type. Remove its "
          + "type parameters.")
    }
    return first
  }
}

/// The head of a declaration of a type, an extension or a protocol.
private struct Declaration {
  var kind: String
  var name: String
  var inherited: Set<String>
  var isHidden: Bool
  var isGeneric: Bool
}

/// Reads tokens and keeps track of the scope that encloses each declaration.
private struct DeclarationReader {
  private let tokens: [SwiftTokens.Token]
  private var index = 0
  /// Nil for braces that do not belong to a type: code outside cannot name what they contain.
  private var scopes: [Declaration?] = []
  private(set) var declarations: [Declaration] = []

  private static let kinds: Set<String> = [
    "struct", "class", "enum", "actor", "extension", "protocol",
  ]
  private static let modifiers: Set<String> = [
    "public", "internal", "package", "open", "final", "indirect", "nonisolated", "distributed",
    "private", "fileprivate",
  ]
  /// The maximum depth of nested types. The total length of their names grows with the square of the depth.
  private static let depthLimit = 64
  /// The words that may follow `class` where it is a modifier.
  private static let members: Set<String> = [
    "func", "var", "let", "subscript", "override", "final", "public", "private", "internal",
    "fileprivate", "open", "package", "init",
  ]

  init(_ tokens: [SwiftTokens.Token]) { self.tokens = tokens }

  mutating func read() {
    while index < tokens.count {
      switch tokens[index] {
      case .word(let kind) where Self.kinds.contains(kind) && startsDeclaration:
        let start = index
        index += 1
        readDeclaration(kind, at: start)
      case .sign(UInt8(ascii: "{")):
        scopes.append(nil)
        index += 1
      case .sign(UInt8(ascii: "}")):
        _ = scopes.popLast()
        index += 1
      default: index += 1
      }
    }
  }

  private func sign(_ character: Unicode.Scalar) -> Bool {
    index < tokens.count && tokens[index] == .sign(UInt8(ascii: character))
  }

  private var startsDeclaration: Bool {
    if index > 0, tokens[index - 1] == .sign(UInt8(ascii: ".")) { return false }
    guard index + 1 < tokens.count, case .word(let next) = tokens[index + 1] else { return false }
    return !Self.members.contains(next)
  }

  private mutating func readDeclaration(_ kind: String, at start: Int) {
    let path = readPath()
    var isGeneric = false
    if sign("<") {
      isGeneric = kind != "extension"
      skipAngles()
    }
    var inherited: Set<String> = []
    if sign(":") {
      index += 1
      inherited = readInherited()
    }
    // A `where` clause may come before the brace.
    while index < tokens.count, !sign("{"), !sign("}") { index += 1 }
    guard sign("{") else { return }
    index += 1
    let enclosing = scopes.last ?? nil
    let isNamed = scopes.isEmpty || enclosing != nil && scopes.count < Self.depthLimit
    let declaration = Declaration(
      kind: kind, name: ((enclosing.map { [$0.name] } ?? []) + path).joined(separator: "."),
      inherited: inherited, isHidden: isHidden(at: start) || (enclosing?.isHidden ?? false),
      isGeneric: isGeneric || (enclosing?.isGeneric ?? false))
    if isNamed { declarations.append(declaration) }
    scopes.append(isNamed ? declaration : nil)
  }

  private func isHidden(at start: Int) -> Bool {
    var before = start - 1
    while before >= 0, case .word(let word) = tokens[before], Self.modifiers.contains(word) {
      if word == "private" || word == "fileprivate" { return true }
      before -= 1
    }
    return false
  }

  private mutating func readPath() -> [String] {
    var path: [String] = []
    while index < tokens.count, case .word(let word) = tokens[index] {
      path.append(word)
      index += 1
      guard sign(".") else { break }
      index += 1
    }
    return path
  }

  private mutating func skipAngles() {
    var depth = 0
    while index < tokens.count, !sign("{") {
      if sign("<") { depth += 1 }
      if sign(">") { depth -= 1 }
      index += 1
      if depth == 0 { return }
    }
  }

  /// The last component of each name after the colon, up to the brace or a `where` clause.
  private mutating func readInherited() -> Set<String> {
    var names: Set<String> = []
    while index < tokens.count, !sign("{"), tokens[index] != .word("where") {
      if sign("<") {
        skipAngles()
      } else if sign("@") {
        index += 2
      } else if case .word(let word) = tokens[index], word != "any" {
        names.insert(readPath().last ?? word)
      } else {
        index += 1
      }
    }
    return names
  }
}
