import SwiftScanning

/// The open brackets at the end of a text, and the content of each since the last separator.
struct CompletionScan {
  /// The position of the cursor.
  enum Cursor { case word, string, nowhere }

  /// A token of the current statement or step. A closed pair of brackets is one piece.
  struct Piece {
    var kind: Token.Kind
    var keyword: Keyword?
    var text: String
  }

  /// An open bracket, or the complete text.
  struct Frame {
    var opener: Token.Kind
    /// The name before the bracket, to which the bracket belongs.
    var callee: String?
    /// Whether it contains the expectations of an exploration.
    var isChecking = false
    /// The labels of the completed steps.
    var labels: [String] = []
    /// The content since the last separator.
    var pieces: [Piece] = []
  }

  private(set) var frames = [Frame(opener: .end)]
  private(set) var cursor = Cursor.word
  /// The range of the incomplete item at the cursor.
  private(set) var partial: SourceRange

  init(_ source: Source) {
    partial = source.end
    var lexer = Lexer(source)
    let end = source.bytes.count
    var lastEnd = 0
    while true {
      let token = takesWords ? lexer.nextWord() : lexer.next()
      if token.kind == .end { break }
      if token.range.end == end, isPartial(token, source) { return }
      lastEnd = token.range.end
      if startsSwift(token, source) {
        guard let end = endOfSwift(token, source) else {
          // The cursor is in Swift code.
          cursor = .nowhere
          return
        }
        lexer.move(to: end)
        lastEnd = end
        frames[frames.count - 1].pieces.append(Piece(kind: .closeBrace, text: ""))
        continue
      }
      add(token, source)
    }
    // The text after the last token is blank or a comment.
    if source.bytes[lastEnd...].contains(UInt8(ascii: "#")) { cursor = .nowhere }
  }

  /// Whether this last token is incomplete. Also records its range, or where the cursor is.
  private mutating func isPartial(_ token: Token, _ source: Source) -> Bool {
    switch token.kind {
    case .name, .keyword, .word: partial = token.range
    case .number: cursor = .nowhere
    case .string: cursor = .nowhere
    case .invalid where source.bytes[token.range.start] == UInt8(ascii: "\""):
      partial = SourceRange(token.range.start + 1, token.range.end)
      cursor = .string
    case .invalid where source.bytes[token.range.start] == UInt8(ascii: "."):
      // `serial.`: a dot that starts the second part of a name, which is not written yet.
      let pieces = frames[frames.count - 1].pieces
      guard let last = pieces.last, last.kind == .name else { return false }
      let start = token.range.start - last.text.utf8.count
      guard start >= 0, source.text(SourceRange(start, token.range.start)) == last.text else {
        return false
      }
      frames[frames.count - 1].pieces.removeLast()
      partial = SourceRange(start, token.range.end)
    default: return false
    }
    return true
  }

  /// Whether Swift code starts with this token.
  private func startsSwift(_ token: Token, _ source: Source) -> Bool {
    let pieces = frames[frames.count - 1].pieces
    guard let last = pieces.last, last.kind == .name, last.text == Parser.swift else {
      return false
    }
    if token.kind == .openBrace { return true }
    guard frames.count == 1, pieces.count == 1 else { return false }
    let text = source.text(token.range)
    return text == "@" || SwiftDeclaration.canStart(with: text)
  }

  private func endOfSwift(_ token: Token, _ source: Source) -> Int? {
    token.kind == .openBrace
      ? SwiftExtent.endOfBlock(in: source.bytes, at: token.range.start)
      : SwiftExtent.endOfDeclaration(in: source.bytes, from: token.range.start)
  }

  /// Whether the statement is a command that takes paths.
  private var takesWords: Bool {
    guard frames.count == 1, let first = frames[0].pieces.first else { return false }
    if first.text == "!" || first.text == "?" { return true }
    if first.text == CommandName.save.rawValue { return true }
    guard let keyword = first.keyword else { return false }
    switch keyword {
    case .load, .unload, .reload, .help, .source, .trace: return true
    case .simulate: return frames[0].pieces.count == 1
    case .show: return frames[0].pieces.last?.text == "save"
    default: return false
    }
  }

  private mutating func add(_ token: Token, _ source: Source) {
    let index = frames.count - 1
    switch token.kind {
    case .newline where frames[index].opener == .openParenthesis: return
    case .newline where frames[index].continuesOnNextLine: return
    case .newline, .semicolon: frames[index].finishStep()
    case .openBrace, .openBracket:
      frames.append(
        Frame(
          opener: token.kind, callee: frames[index].callee(before: token.kind),
          isChecking: frames[index].pieces.last?.keyword == .checking))
    case .openParenthesis:
      let last = frames[index].pieces.last
      frames.append(Frame(opener: token.kind, callee: last?.kind == .name ? last?.text : nil))
    case .closeBrace, .closeBracket, .closeParenthesis:
      if let open = frames.lastIndex(where: { $0.closer == token.kind }) {
        frames.removeSubrange(open...)
      }
      frames[frames.count - 1].pieces.append(Piece(kind: token.kind, text: ""))
    default:
      frames[index].pieces.append(
        Piece(kind: token.kind, keyword: token.keyword, text: source.text(token.range)))
    }
  }

  /// The pattern whose steps are being written.
  var pattern: String? {
    frames.last { $0.opener != .openParenthesis && $0.callee != nil }?.callee
  }
}

extension CompletionScan.Frame {
  fileprivate var closer: Token.Kind? {
    Token(kind: opener, keyword: nil, range: SourceRange(0, 0)).closer
  }

  fileprivate var continuesOnNextLine: Bool {
    guard let last = pieces.last else { return false }
    return last.kind == .comma || last.kind == .assign || last.keyword == .under
  }

  fileprivate mutating func finishStep() {
    let label = pieces.first.flatMap { $0.kind == .string ? $0.text : nil }
    if let label {
      labels.append(String(label.dropFirst().dropLast()))
    } else if pieces.first?.kind == .name {
      labels.append(pieces[0].text)
    } else if let callee = pieces.withoutLabelAndCount.first, callee.kind == .name {
      labels.append(callee.text)
    }
    pieces = []
  }

  /// The name to which a bracket that opens here belongs.
  fileprivate func callee(before opener: Token.Kind) -> String? {
    var rest = pieces.withoutLabelAndCount
    if rest.count >= 2, rest[1].kind == .assign { rest = Array(rest.dropFirst(2)) }
    if rest.first?.keyword == .run || rest.first?.keyword == .explore { rest.removeFirst() }
    guard let first = rest.first, first.kind == .name else { return nil }
    return first.text
  }
}

extension [CompletionScan.Piece] {
  /// The pieces of a step without `label:` and `count *`.
  var withoutLabelAndCount: Self {
    var rest = self[...]
    if rest.count >= 2, rest[rest.startIndex + 1].kind == .colon { rest = rest.dropFirst(2) }
    if rest.count >= 2, rest.first?.kind == .number, rest[rest.startIndex + 1].kind == .star {
      rest = rest.dropFirst(2)
    }
    return Array(rest)
  }

  /// The pieces after the last comma.
  var sinceComma: Self {
    guard let comma = lastIndex(where: { $0.kind == .comma }) else { return self }
    return Array(self[(comma + 1)...])
  }

  /// The names before colons.
  var namesBeforeColons: [String] {
    indices.dropFirst().filter { self[$0].kind == .colon && self[$0 - 1].kind == .name }
      .map { self[$0 - 1].text }
  }

  /// The name of `name:` if no value follows yet.
  var nameOfMissingValue: String? {
    count == 2 && self[0].kind == .name && self[1].kind == .colon ? self[0].text : nil
  }
}
